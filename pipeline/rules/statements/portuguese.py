"""Statements in Portuguese."""

from typing import Final

from afterword.pipeline.expression import expression
from afterword.pipeline.rules.statements.language import LanguageRules

_THING: Final = (
    r"(?!(?:est[ea]s?|ess[ea]s?|isso|isto|a (?:primeira|segunda)|o (?:primeiro|segundo)"
    r"|que você)\b)"
)

PORTUGUESE_STATEMENTS: Final = LanguageRules(
    may=expression(
        r"\b(?:eu|prefiro|compro|vendo|invisto|sou|moro|vivo|tenho|meu|minha|meus|minhas"
        r"|não|nunca|sempre|só"
        r"|quero|uso|opero|trabalho|guardo|odeio|evito|gosto|posso|a partir|pago|estou)\b"
    ),
    opening=expression(
        r"(?:(?:e|mas|bom|ok(?:ay)?|por favor|obrigad[oa]|olá|oi|além disso|também|aliás"
        r"|lembre-se|lembra|nota|importante|em geral|pessoalmente|eu|sim"
        r"|como \w+(?: \w+)?)\s*[,:!.]?\s*(?:que )?)"
    ),
    states=(
        (
            "constraint",
            expression(
                r"(?:(?:eu )?não (?:posso|devo) (?:arriscar|operar|investir|usar|ter"
                r"|comprar|vender|perder|manter|gastar)\b|só posso (?:arriscar|operar"
                r"|investir|usar|perder|comprar)\b"
                r"|(?:minha|meu) (?:\w+ ){1,3}(?:máxim[oa]|mínim[oa]) é\b|(?:minha"
                r"|meu) (?:empresa|corretora|banco|contrato"
                r"|chefe) (?:não (?:me )?(?:permite|deixa)|proíbe|exige)\b"
                r"|nunca arrisco\b)"
            ),
        ),
        (
            "goal",
            expression(
                r"(?:(?:meu|minha) (?:\w+ )?(?:objetivo|meta|sonho|plano)(?: \w+)? é\b"
                r"|estou (?:juntando|poupando|guardando)[^.]{0,20} para\b"
                r"|quero (?:aprender|me aposentar|viver de|parar de|chegar a|construir"
                r"|dobrar)\b|quero [^.]{3,80}(?:até (?:20\d\d|o fim|os \d\d)|em \w+ anos))"
            ),
        ),
        (
            "fact",
            expression(
                r"(?:(?:meu|minha) (?:\w+ )?(?:corretora|carteira|banco|contador|contadora"
                r"|bot|servidor|conta|exchange)(?: \w+)? (?:é|fica|roda|está na)\b"
                r"|tenho (?:uma?|duas|dois|três|\d+|várias) (?:\w+ )?(?:contas?|carteiras?"
                r"|corretoras?|bots?)\b|guardo (?:minhas|meus|tudo"
                r"|o resto)[^.]{2,60}\b(?:em|na|no)\b)"
            ),
        ),
        (
            "profile",
            expression(
                r"(?:sou (?:(?:uma?|muito|bem) )?(?:\w+ ){0,2}(?:investidor\w*|trader"
                r"|iniciante|novat[oa]|experiente|médic[oa]|professor\w*|engenheir[oa]"
                r"|estudante|aposentad[oa]|autônom[oa]|conservador\w*|enfermeir[oa]"
                r"|programador\w*|nov[oa] em)\b"
                r"|tenho \d\d anos|(?:moro|vivo) (?:em|no|na)\b|trabalho (?:como|de|em"
                r"|para|na|no)\b|opero [^.]{0,40}há \w+ anos|pago (?:meus )?impostos\b"
                r"|(?:minha|meu) (?:tolerância|perfil|apetite|fuso|horizonte|experiência"
                r"|idade|profissão)\b[^.]{0,40}\bé\b)"
            ),
        ),
        (
            "preference",
            expression(
                rf"(?:(?:compro|vendo|invisto|poupo) [^.]{{0,60}}?(?:tod[oa]s?\s(?:o\s|os\s"
                rf"|a\s|as\s)?(?:mês|meses|semanas?|dias?|ano)|cada (?:mês|semana|dia)"
                rf"|mensalmente|semanalmente)\b|prefiro {_THING}\w"
                rf"|(?:não )?gosto (?:muito )?de {_THING}\w"
                rf"|odeio {_THING}\w|evito {_THING}\w"
                r"|(?:a partir de agora|de agora em diante|daqui em diante|no futuro"
                r"|sempre|por padrão),? (?:por favor,? )?(?!(?:me )?esqueço)\w"
                r"|(?:responda|responde|mostre|use|escreva|me chame"
                r"|diga)(?:-me)? (?:sempre|nunca|de)\b|nunca (?:me )?(?:recomende|sugira"
                r"|use|mostre)\b"
                r"|(?:só|nunca|sempre|normalmente|geralmente) (?:opero|compro|uso|invisto"
                r"|vendo|mantenho|faço)\b|não (?:opero|uso|faço) \w"
                r"|quero (?:ver )?(?:sempre|todos?|todas?)\b)"
            ),
        ),
    ),
    refused=(
        (
            "hypothetical",
            expression(
                r"(?:^|[\s,])se (?=eu|você|fosse|tivesse)|\b(?:suponha\w*|imagine|digamos"
                r"|fosse|tivesse|hipoteticamente|seria)\b|\bserá que\b"
            ),
        ),
        (
            "hedged",
            expression(
                r"\b(?:talvez|acho que|não tenho certeza|não (?:digo|acho)|pode ser|algum dia)\b"
            ),
        ),
        (
            "past",
            expression(r"\b(?:antigamente|antes(?! de)|no passado|quando eu era|costumava)\b"),
        ),
        (
            "momentary",
            expression(
                r"(?<!partir de )(?<!de )\b(?:agora(?! em diante)|hoje|ontem|neste momento"
                r"|esta (?:semana|vez|operação))\b"
            ),
        ),
        ("joke", expression(r"\b(?:brincadeira|kkk+|haha\w*|lol)\b|[:;]-?[)dp](?:\s|$)")),
        ("reported", expression(r"\b(?:diz|disse|dizem|segundo|o usuário)\b")),
    ),
    others=expression(
        r"(?:(?:meu|minha|um|uma|o|a|seu|sua)\s(?:amig|irmã|irmão|espos|mulher|marido"
        r"|parceir|pai|mãe|chefe|coleg|vizinh|filh|tio|tia|prim|usuário"
        r"|artigo)\w*\b(?!\s(?:não me deixa|proíbe))|(?:ele|ela|eles|elas|todos|alguém"
        r"|muitos)\b)"
    ),
    material=expression(
        r"\b(?:traduza|traduz|reescreva|resuma|redija|escreva (?:um|uma)|imagine|finja|aja como)\b"
    ),
)
