"""The explorer: pages, served on this machine only, on which to watch the method work.

Every page asks one plain function here for what it shows: settings in, values that JSON can hold out.
"""
