"""What people see: pictures, tables, and the page that holds them."""
