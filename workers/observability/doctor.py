"""What the doctor asks of the transport."""

from collections.abc import Iterator

from afterword.pipeline.errors import PipelineError
from afterword.pipeline.operations.doctor.model import Finding
from afterword.pipeline.settings import Settings
from afterword.workers.broker.broker import check_server, connect


def check_redis(settings: Settings) -> Iterator[Finding]:
    """Ask Redis whether it answers, and whether its settings are safe for us."""
    if not settings.redis_url:
        said = "AFTERWORD_REDIS_URL is not set: everything runs in one process"
        yield Finding("redis", "note", said)
        return
    client = connect(settings.redis_url)
    try:
        check_server(client)
        yield Finding("redis", "fine", f"{client.info('server')['redis_version']} answers")
    except PipelineError as error:
        yield Finding("redis", "wrong", str(error))
    finally:
        client.close()
