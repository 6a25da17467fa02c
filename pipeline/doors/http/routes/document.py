"""The OpenAPI document of the network door."""

from typing import Any

from fastapi import Request

from afterword.pipeline.doors.http.app import area_routes
from afterword.pipeline.doors.http.caller import By
from afterword.pipeline.doors.http.document import whole_document


def openapi(by: By, request: Request) -> Any:
    """Return the OpenAPI document of all routes."""
    del by
    return whole_document(request.app, area_routes())
