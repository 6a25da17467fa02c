"""Statements in Spanish."""

from typing import Final

from afterword.pipeline.expression import expression
from afterword.pipeline.rules.statements.language import LanguageRules

_THING: Final = (
    r"(?!(?:est[eao]s?|es[eao]s?|lo|la (?:primera|segunda)|el (?:primero|segundo)"
    r"|que (?:esperes|me digas))\b)"
)

SPANISH_STATEMENTS: Final = LanguageRules(
    may=expression(
        r"\b(?:prefiero|compro|vendo|invierto|respuestas|mensajes|soy|vivo|tengo|mi|mis|me"
        r"|no|solo|sólo|nunca|siempre|quiero|llevo"
        r"|uso|opero|somos|nuestr\w+|a partir|trabajo|guardo|odio|evito|puedo|debo|yo"
        r"|ahorro|llámame|responde\w*)\b"
    ),
    opening=expression(
        r"(?:(?:y|pero|bueno|vale|ok(?:ay)?|por favor|gracias|hola|además|también"
        r"|por cierto|recuerda|ten en cuenta|nota|importante|en general|personalmente|yo"
        r"|sí|como \w+(?: \w+)?)\s*[,:!.]?\s*(?:que )?)"
    ),
    states=(
        (
            "constraint",
            expression(
                r"(?:(?:yo )?no (?:puedo|debo) (?:arriesgar|operar|invertir|usar|tener"
                r"|comprar|vender|perder|superar|mantener|apalancar\w*|gastar)\b"
                r"|(?:solo|sólo) puedo (?:arriesgar|operar|invertir|usar|perder|comprar"
                r"|mirar)\b|tengo (?:prohibido|que mantener)\b"
                r"|mi (?:[\w]+ ){1,3}(?:máxim[oa]|mínim[oa]) es\b|mi (?:máxim[oa]"
                r"|mínim[oa]) (?:\w+ ){1,3}es\b"
                r"|mi (?:empresa|bróker|broker|jefe|contrato|religión"
                r"|banco) (?:no (?:me )?(?:permite|deja)|prohíbe|exige)\b"
                r"|nunca arriesgo\b|arriesgo como máximo\b)"
            ),
        ),
        (
            "goal",
            expression(
                r"(?:mi (?:\w+ )?(?:objetivo|meta|sueño|plan)(?: \w+)? es\b"
                r"|(?:estoy )?ahorr(?:ando|o) para\b"
                r"|quiero (?:aprender|jubilarme|vivir de|dejar de|llegar a|construir|duplicar)\b"
                r"|quiero [^.]{3,80}(?:antes de (?:20\d\d|los)|en \w+ años|para (?:20\d\d"
                r"|finales)))"
            ),
        ),
        (
            "fact",
            expression(
                r"(?:mi (?:\w+ )?(?:bróker|broker|exchange|billetera|cartera|monedero"
                r"|banco|gestor|contable|bot|servidor|cuenta)(?: \w+)? (?:es|está en|corre"
                r"|se llama)\b(?! (?:vací|bloquead|caíd|lent))"
                r"|tengo (?:una|un|dos|tres|cuatro|\d+|varias|varios) (?:\w+ )?(?:cuentas?"
                r"|billeteras?|brókers?|brokers?|bots?|carteras?|monederos?)\b"
                r"|(?:guardo|mantengo|tengo) (?:mis|todo|todas|todos"
                r"|el resto)[^.]{2,60}\b(?:en|con)\b"
                r"|uso (?!la palabra)[\w .-]{2,40} para\b)"
            ),
        ),
        (
            "profile",
            expression(
                r"(?:soy (?:(?:un|una|muy|bastante) )?(?:\w+ ){0,2}(?:inversor\w*"
                r"|inversionista|trader|principiante|novato|novata|experto|experta"
                r"|médic[oa]|profesor\w*|ingenier[oa]|estudiante|jubilad[oa]|autónom[oa]"
                r"|conservador\w*|enfermer[oa]|programador\w*|prudente|nuev[oa] en)\b"
                r"|tengo \d\d años|vivo en\b|trabajo (?:como|de|en|para)\b"
                r"|llevo (?:\w+ ){1,4}(?:años|meses|décadas)\b|pago (?:mis )?impuestos\b"
                r"|mi (?:tolerancia|perfil|apetito|zona|horizonte|experiencia|edad"
                r"|profesión|lengua)\b[^.]{0,40}\bes\b)"
            ),
        ),
        (
            "preference",
            expression(
                rf"(?:(?:compro|vendo|invierto|ahorro|reviso) [^.]{{0,60}}?(?:cada (?:día"
                rf"|semana|mes|año|viernes|lunes)|todos los (?:meses|días)|mensualmente"
                rf"|semanalmente)\b|(?:por favor,? )?(?:respuestas|mensajes"
                rf"|resúmenes) (?:siempre )?(?:cort\w+|breves?|concis\w+)\b"
                rf"|(?:yo )?prefiero {_THING}\w|(?:no )?me (?:gustan?|encantan?"
                rf"|molestan?) (?!(?:esta|este|esto|eso|esa|ese|tu|lo que)\b)\w|odio {_THING}\w"
                rf"|evito {_THING}\w"
                r"|(?:a partir de ahora|de ahora en adelante|en adelante|en el futuro"
                r"|siempre|por defecto),? (?:por favor,? )?(?!me (?:olvido|equivoco))\w"
                r"|(?:respóndeme|responde|contéstame|dame|muéstrame|usa|escribe|dime"
                r"|llámame|recuérdame) (?:siempre|nunca)\b|llámame \w"
                r"|nunca (?:me )?(?:recomiendes|sugieras|uses|muestres|propongas|opero|uso"
                r"|compro|mantengo)\b"
                r"|no me (?:recomiendes|sugieras|propongas) (?:nunca|más)\b"
                r"|(?:solo|sólo|nunca|siempre|normalmente|generalmente) (?:opero|compro"
                r"|uso|invierto|vendo|mantengo|hago)\b|opero (?:solo|sólo|únicamente)\b"
                r"|no (?:opero|uso|hago) \w"
                r"|quiero (?:ver )?(?:siempre|todos?|todas?|que siempre)\b)"
            ),
        ),
    ),
    refused=(
        (
            "hypothetical",
            expression(
                r"(?:^|[\s,¿(])si(?=\s)|\b(?:supongamos|supón|imagina|imaginemos|digamos"
                r"|fuera|tuviera|hipotéticamente|sería)\b"
            ),
        ),
        (
            "hedged",
            expression(
                r"\b(?:quizás?|tal vez|a lo mejor|creo que|no estoy segur[oa]|no (?:digo"
                r"|creo)|puede que|algún día|tentad[oa])\b"
            ),
        ),
        (
            "past",
            expression(r"\b(?:antes(?! de)|en el pasado|cuando era|ya no tanto|hace años|solía)\b"),
        ),
        (
            "momentary",
            expression(
                r"(?<!partir de )(?<!de )\b(?:ahora(?! en adelante)|est[ea]s? (?!año"
                r"|mes)\w+|hoy|ayer"
                r"|en este momento|esta (?:semana|vez|operación)|este (?:trade|momento))\b"
            ),
        ),
        ("joke", expression(r"\b(?:es broma|jaja\w*|lol)\b|[:;]-?[)dp](?:\s|$)")),
        ("reported", expression(r"\b(?:dice|dijo|dicen|según|el usuario)\b")),
    ),
    others=expression(
        r"(?:(?:mi|un|una|el|la|su)\s(?:amig|herman|espos|mujer|marido|pareja|padre|madre"
        r"|jef|coleg|vecin|hij|tí[oa]|primo|usuario|artículo)\w*\b(?!\s(?:no me deja"
        r"|prohíbe))|(?:él|ella|ellos|ellas|todos|alguien|la gente|muchos)\b)"
    ),
    material=expression(
        r"\b(?:traduce|reescribe|resume (?:el|la|este|esta)|redacta|escribe (?:un|una)"
        r"|imagina|finge|actúa como)\b"
    ),
)
