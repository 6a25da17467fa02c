"""The doctor's check of Redis."""

from collections.abc import Iterator

from afterword.pipeline.errors import PipelineError
from afterword.pipeline.operations.doctor.model import Finding
from afterword.pipeline.settings import Settings
from afterword.workers.broker.broker import check_server, connect


def check_redis(settings: Settings) -> Iterator[Finding]:
    """Check that Redis answers and that its settings are safe."""
    if not settings.redis_url:
        said = "AFTERWORD_REDIS_URL is not set: only `afterword up` can run jobs"
        yield Finding("redis", "note", said)
        return
    client = connect(settings.redis_url)
    try:
        check_server(client)
        yield Finding("redis", "fine", f"Redis {client.info('server')['redis_version']} answers")
    except PipelineError as error:
        yield Finding("redis", "wrong", str(error))
    finally:
        client.close()
