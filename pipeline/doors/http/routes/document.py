"""The OpenAPI document of the network door."""

from typing import Any

from fastapi import Request

from afterword.pipeline.doors.http.caller import By


def openapi(by: By, request: Request) -> Any:
    """Return the OpenAPI document of all routes."""
    del by
    return request.app.openapi()
