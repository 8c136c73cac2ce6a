"""Pictures, and folders and archives of them, for tests of data."""

import io
import zipfile
from pathlib import Path

import numpy as np
from PIL import Image


def picture(seed: int = 0, height: int = 9, width: int = 9, channels: int = 3) -> np.ndarray:
    """Return a picture of smooth colours, [height, width, channels], another for each seed."""
    coarse = np.random.default_rng(seed).integers(0, 256, (3, 3, channels), np.uint8)
    image = Image.fromarray(coarse[..., 0] if channels == 1 else coarse)
    return np.asarray(image.resize((width, height), Image.Resampling.BICUBIC)).reshape(height, width, channels)


def encoded(array: np.ndarray, form: str = "PNG", **options) -> bytes:
    """Return a picture's file."""
    file = io.BytesIO()
    Image.fromarray(array[..., 0] if array.shape[-1] == 1 else array).save(file, form, **options)
    return file.getvalue()


def put_all(where: Path, files: dict[str, bytes]) -> Path:
    """Write files into a folder, or into an archive if its name ends in .zip."""
    if where.suffix == ".zip":
        where.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(where, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in files.items():
                archive.writestr(name, content)
        return where
    for name, content in files.items():
        (where / name).parent.mkdir(parents=True, exist_ok=True)
        (where / name).write_bytes(content)
    return where
