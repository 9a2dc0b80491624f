"""Text of a PDF, read page by page. Runs in the confined process."""

from __future__ import annotations

import io

from lexgear.serve.uploads.kangxi_radicals import replace_radicals
from lexgear.serve.uploads.line_joining import join_lines
from lexgear.serve.uploads.refusals import RefusedFileError, UploadProblem


def pdf_text(data: bytes, most_pages: int, limit: int) -> str:
    """Return the text of a PDF."""
    pages = _pages(data, most_pages, limit)
    if not any(page.strip() for page in pages):
        raise RefusedFileError(422, UploadProblem.SCANNED)
    return join_lines([replace_radicals(page) for page in pages])


def _pages(data: bytes, most_pages: int, limit: int) -> list[str]:
    """Return the text of each page; reading stops at twice the limit, as joining lines removes less than half."""
    from pypdf import PasswordType, PdfReader
    from pypdf.errors import DependencyError

    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted and reader.decrypt("") == PasswordType.NOT_DECRYPTED:
            raise RefusedFileError(422, UploadProblem.ENCRYPTED_PDF)
        number = len(reader.pages)
    except DependencyError:  # a cipher that needs another package
        raise RefusedFileError(422, UploadProblem.ENCRYPTED_PDF) from None
    if number > most_pages:
        raise RefusedFileError(413, UploadProblem.PAGES, pages=number, limit=most_pages)
    pages: list[str] = []
    length = 0
    for page in reader.pages:
        pages.append(page.extract_text())
        length += len(pages[-1])
        if length > 2 * limit:
            raise RefusedFileError(413, UploadProblem.LONG, limit=limit)
    return pages
