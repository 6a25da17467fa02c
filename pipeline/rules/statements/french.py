"""Statements in French."""

from typing import Final

from afterword.pipeline.expression import expression
from afterword.pipeline.rules.statements.language import LanguageRules

_THING: Final = (
    r"(?!(?:ça|cela|ceci|ce(?:tte|t|s)?|le (?:premier|second|deuxième)|la (?:première|seconde"
    r"|deuxième)|celui|celle|ton|ta|tes|votre)\b)"
)

FRENCH_STATEMENTS: Final = LanguageRules(
    may=expression(
        r"\b(?:je|j'\w+|mon|ma|mes|nous|notre|nos|ne|toujours|jamais|désormais|à partir"
        r"|dorénavant|réponds\w*|appelle|appelez)\b"
    ),
    opening=expression(
        r"(?:(?:et|mais|bon|ok(?:ay)?|s'il (?:te|vous) plaît|merci|bonjour|salut|en plus"
        r"|aussi|au fait|d'ailleurs|rappelle-toi|note|important|en général|personnellement"
        r"|moi|oui|non|en tant que?'? ?\w+(?: \w+)?)\s*[,:!.]?\s*(?:que )?)"
    ),
    states=(
        (
            "constraint",
            expression(
                r"(?:je ne (?:peux|dois) (?:pas|jamais|que|plus) (?:risquer|trader"
                r"|investir|utiliser|détenir|acheter|vendre|perdre|dépasser|garder"
                r"|dépenser)\b|je n'ai pas le droit d"
                r"|(?:mon|ma) (?:[\w]+ ){1,3}(?:maximum|maximale?|minimum"
                r"|minimale?)(?: \w+)? est\b|(?:mon|ma) (?:employeur|entreprise|courtier"
                r"|banque|contrat) (?:ne |m'interdit|interdit|exige)"
                r"|je ne risque jamais\b)"
            ),
        ),
        (
            "goal",
            expression(
                r"(?:(?:mon|ma|notre) (?:\w+ )?(?:objectif|but|rêve|projet)(?: \w+)? est\b"
                r"|j'économise pour\b|j'épargne pour\b"
                r"|je (?:veux|voudrais|souhaite) (?:apprendre|prendre ma retraite|vivre de"
                r"|arrêter de|doubler|construire|devenir)\b"
                r"|je (?:veux|voudrais) [^.]{3,80}(?:d'ici (?:20\d\d|la fin)|dans \w+ ans"
                r"|avant (?:20\d\d|mes)))"
            ),
        ),
        (
            "fact",
            expression(
                r"(?:(?:mon|ma|mes) (?:\w+ )?(?:courtier|portefeuille|banque|comptable|bot"
                r"|serveur|compte|wallet|plateforme)s?(?: \w+)? (?:est|sont|tourne"
                r"|se trouve|s'appelle)\b(?! (?:vide|bloqué|en panne|lent))"
                r"|j'ai (?:un|une|deux|trois|\d+|plusieurs) (?:\w+ )?(?:comptes?"
                r"|portefeuilles?|courtiers?|bots?|wallets?)\b|je (?:garde|conserve"
                r"|stocke) (?:mes|tout|le reste)[^.]{2,60}\b(?:chez|sur|dans)\b"
                r"|j'utilise [\w .-]{2,40} pour\b)"
            ),
        ),
        (
            "profile",
            expression(
                r"(?:je suis (?:(?:une?|très|plutôt"
                r"|assez) )?(?:\w+ ){0,2}(?:investisseu\w+|tradeu\w+|trader|débutante?"
                r"|novice|experte?|médecin|professeure?|ingénieure?|étudiante?|retraitée?"
                r"|indépendante?|prudente?|infirmi\w+|développeu\w+|nouveau|nouvelle)\b"
                r"|j'ai \d\d ans|(?:j'habite|je vis) (?:à|en|au|aux|dans)\b"
                r"|je travaille (?:comme|chez|pour|dans|en|de nuit)\b"
                r"|je \w+ [^.]{0,40}depuis \w+ (?:ans|mois)|je paie (?:mes )?impôts"
                r"|(?:mon|ma) (?:tolérance|profil|appétit|fuseau|horizon|expérience|âge"
                r"|profession|métier|langue)\b[^.]{0,40}\best\b)"
            ),
        ),
        (
            "preference",
            expression(
                rf"(?:(?:j'achète|j'investis|je vends"
                rf"|j'épargne) [^.]{{0,60}}?(?:chaque (?:mois|semaine|jour|année)"
                rf"|tous les (?:mois|jours|lundis|vendredis)|mensuellement)\b"
                rf"|je n'(?:utilise|investis|achète|emprunte|aime) (?:jamais|que|pas"
                rf"|plus)\b|je préfère {_THING}\w|j'(?:aime|adore"
                rf"|évite) (?:bien )?{_THING}\w"
                rf"|je déteste {_THING}\w|je n'aime pas {_THING}\w"
                r"|(?:à partir de maintenant|désormais|dorénavant|à l'avenir|toujours"
                r"|par défaut),? (?:s'il te plaît,? )?\w"
                r"|(?:réponds|répondez|donne|montre|utilise|écris|appelle"
                r"|dis)(?:-moi)? toujours\b|appelle-moi \w|ne me (?:propose|recommande"
                r"|suggère) (?:jamais|plus)\b"
                r"|je ne (?:trade|négocie|prends|fais|utilise|garde|détiens|achète) (?:que"
                r"|qu'|jamais|pas)\b|je (?:trade|négocie|utilise|achète) (?:toujours"
                r"|uniquement|seulement)\b"
                r"|je veux (?:toujours|tous?|toutes?)\b)"
            ),
        ),
    ),
    refused=(
        (
            "hypothetical",
            expression(
                r"(?:^|[\s,])(?:si |s'il(?! (?:te|vous) plaît)|si j')|\b(?:supposons"
                r"|imagine|imaginons|disons|serais|aurais|hypothétiquement)\b"
                r"|\best-ce que\b"
            ),
        ),
        (
            "hedged",
            expression(
                r"\b(?:peut-être|je pense|je crois|pas sûre?|je ne dis pas|un jour"
                r"|éventuellement)\b"
            ),
        ),
        (
            "past",
            expression(
                r"\b(?:avant,|autrefois|dans le passé|quand j'étais|j'aimais|ancienn?ement)\b"
            ),
        ),
        (
            "momentary",
            expression(
                r"(?<!partir de )\b(?:maintenant|aujourd'hui|hier|en ce moment"
                r"|tout de suite|cette (?:semaine|fois)|ce trade)\b"
            ),
        ),
        ("joke", expression(r"\b(?:je plaisante|mdr|haha\w*|lol)\b|[:;]-?[)dp](?:\s|$)")),
        ("reported", expression(r"\b(?:dit|dits|disent|disait|selon|l'utilisateur)\b")),
    ),
    others=expression(
        r"(?:(?:mon|ma|un|une|le|la|son|sa)\s(?:ami|frère|sœur|soeur|femme|mari|compagn"
        r"|père|mère|chef|patron|collègue|voisin|fils|fille|oncle|tante|cousin|utilisateur"
        r"|article)\w*\b(?!\s(?:m'interdit|ne me))|(?:il|elle|ils|elles|on|tout le monde"
        r"|quelqu'un|beaucoup)\b)"
    ),
    material=expression(
        r"\b(?:traduis|traduisez|réécris|résume (?:le|la|ce)|rédige|écris (?:un|une)"
        r"|imagine|fais semblant|joue le rôle)\b"
    ),
)
