"""Tokens of services, recognised by the grammar of each service."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from afterword.pipeline.expression import expression
from afterword.pipeline.rules.masking.credentials import is_mixed
from afterword.pipeline.rules.masking.finding import Secret

SHORTEST_TOKEN: Final = 20
"""Length of the shortest token in the table; characters."""


class _Token(NamedTuple):
    kind: str
    marks: tuple[str, ...]  # every such token has one of these
    pattern: re.Pattern[str]
    must_mix: bool


def _token(kind: str, marks: str, grammar: str, must_mix: bool = False) -> _Token:
    pattern = expression(rf"(?<![A-Za-z0-9])(?:{grammar})", re.ASCII)
    return _Token(kind, tuple(marks.split()), pattern, must_mix)


_ALONE: Final = r"(?<![\w-])"  # a short prefix can occur inside digests
_BOTH_CASES: Final = r"(?=[\w-]*[A-Z])(?=[\w-]*[a-z])(?=[\w-]*[0-9])"
_UUID: Final = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"

_TOKENS: Final = (
    # Models and their tools
    _token("anthropic-key", "sk-ant-", r"sk-ant-[\w-]{16,}"),
    _token("openrouter-key", "sk-or-", r"sk-or-[\w-]{16,}"),
    _token(
        "openai-key", "sk-", r"sk-[\w-]{20,}", must_mix=True
    ),  # DeepSeek and others use the same form
    _token("langfuse-key", "sk-lf-", rf"sk-lf-{_UUID}"),
    _token("groq-key", "gsk_", r"gsk_[A-Za-z0-9]{32,}"),
    _token("xai-key", "xai-", r"xai-[A-Za-z0-9]{40,}"),
    _token("perplexity-key", "pplx-", r"pplx-[A-Za-z0-9]{32,}"),
    _token("cerebras-key", "csk-", r"csk-[a-z0-9]{32,}"),
    _token("nvidia-key", "nvapi-", r"nvapi-[\w-]{40,}"),
    _token("huggingface-token", "hf_ api_org_", _ALONE + r"(?:hf|api_org)_[A-Za-z0-9]{30,}"),
    _token("replicate-token", "r8_", _ALONE + r"r8_[A-Za-z0-9]{32,}"),
    _token("fireworks-key", "fw_", _ALONE + r"fw_[A-Za-z0-9]{22,}"),
    _token("langsmith-key", "lsv2_", r"lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}"),
    _token("tavily-key", "tvly-", r"tvly-[A-Za-z0-9-]{24,}"),
    _token("firecrawl-key", "fc-", _ALONE + r"fc-[0-9a-f]{32}"),
    _token("pinecone-key", "pcsk_", r"pcsk_\w{40,}"),
    _token("e2b-key", "e2b_", r"e2b_[0-9a-f]{40}"),
    _token("elevenlabs-key", "sk_", _ALONE + r"sk_[0-9a-f]{48}"),
    _token("voyage-key", "pa-", _ALONE + r"pa-[\w-]{40,}", must_mix=True),
    _token("wandb-key", "wandb_v1_", r"wandb_v1_\w{40,}"),
    _token("afterword-token", "aw_", _ALONE + r"aw_[\w-]{1,64}_[0-9a-f]{64}"),
    _token("afterword-session", "sess-", _ALONE + r"sess-[0-9a-f]{32}(?![A-Za-z0-9])"),
    # Clouds
    _token("aws-key-id", "AKIA ASIA ABIA ACCA", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Z0-9])"),
    _token("aws-bedrock-key", "ABSK", r"ABSK[A-Za-z0-9+/]{80,}={0,2}"),
    _token("google-key", "AIza", r"AIza[\w-]{35,}"),
    _token("google-key", "AQ.Ab", r"AQ\.Ab[\w-]{30,}"),
    _token("google-token", "ya29.", r"ya29\.[\w.-]{20,}"),
    _token("google-token", "1//0", r"1//0[\w-]{30,}"),
    _token("google-client-secret", "GOCSPX-", r"GOCSPX-[\w-]{20,}"),
    _token("azure-secret", "Q~", r"[\w~.-]{3}\dQ~[\w~.-]{30,}"),
    _token("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", r"do[opr]_v1_[0-9a-f]{64}"),
    _token("heroku-key", "HRKU-", r"HRKU-[\w-]{30,}"),
    _token("fly-token", "fm1 fm2 fo1_", r"(?:fm[12]\w?_[A-Za-z0-9+/=,_-]{60,}|fo1_[\w-]{40,})"),
    _token("netlify-token", "nfp_ nfc_ nfo_ nfu_", r"nf[pcou]_[A-Za-z0-9]{36,}"),
    _token("vercel-token", "vcp_ vci_ vcr_ vca_ vck_", r"vc[pirak]_[A-Za-z0-9]{24,}"),
    _token("cloudflare-key", "v1.0-", r"v1\.0-[0-9a-f]{24}-[0-9a-f]{100,}"),
    _token("cloudflare-token", "cfut_ cfat_ cfk_", r"cf(?:ut|at|k)_[A-Za-z0-9]{36,}"),
    _token("supabase-key", "sbp_ sb_secret_", r"(?:sbp_[0-9a-f]{40}|sb_secret_[\w-]{20,})"),
    _token("planetscale-token", "pscale_", r"pscale_(?:tkn|pw|oauth)_[\w.=-]{32,}"),
    _token("neon-key", "napi_", r"napi_[a-z0-9]{40,}"),
    _token("databricks-token", "dapi", r"dapi[0-9a-f]{32}(?:-\d)?"),
    _token("alibaba-key-id", "LTAI", r"LTAI[A-Za-z0-9]{12,26}(?![A-Za-z0-9])", must_mix=True),
    _token("tencent-key-id", "AKID", r"AKID[A-Za-z0-9]{32,}"),
    # Code, packages, delivery
    _token("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_\w{36,}"),
    _token("github-token", "github_pat_", r"github_pat_\w{22,}"),
    _token(
        "gitlab-token",
        "glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- glwt- glsoat- glffct-",
        r"gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|wt|soat|ffct)-[\w.-]{20,}",
    ),
    _token("gitlab-token", "GR1348941", r"GR1348941[\w-]{20,}"),
    _token("bitbucket-token", "ATBB ATCTT3", r"(?:ATBB|ATCTT3)[\w=-]{24,}"),
    _token("atlassian-token", "ATATT3", r"ATATT3[\w=-]{60,}"),
    _token("npm-token", "npm_", r"npm_[A-Za-z0-9]{36,}"),
    _token("pypi-token", "pypi-", r"pypi-[\w-]{50,}"),
    _token("rubygems-key", "rubygems_", r"rubygems_[0-9a-f]{48}"),
    _token("crates-token", "cio", r"cio[A-Za-z0-9]{32}(?![A-Za-z0-9])", must_mix=True),
    _token("docker-token", "dckr_", r"dckr_(?:pat|oat)_[\w-]{20,}"),
    _token("artifactory-key", "AKCp cmVmdGtu", r"(?:AKCp|cmVmdGtu)[A-Za-z0-9]{50,}"),
    _token("terraform-token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{50,}"),
    _token("vault-token", "hvs. hvb. hvr.", r"hv[sbr]\.[\w-]{24,}"),
    _token("doppler-token", "dp.", r"dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{40,}"),
    _token("pulumi-token", "pul-", r"pul-[0-9a-f]{40}"),
    _token("postman-key", "PMAK-", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    _token("grafana-token", "glc_ glsa_", r"(?:glc_[\w+/=]{32,}|glsa_\w{40,})"),
    _token("newrelic-key", "NRAK- NRII-", r"(?:NRAK|NRII)-[\w-]{27,}"),
    _token("sentry-token", "sntrys_ sntryu_", r"sntry[su]_[\w+/=-]{40,}"),
    _token("tailscale-key", "tskey-", r"tskey-[a-z]+-[\w-]{16,}"),
    _token("onepassword-token", "ops_eyJ", r"ops_eyJ[\w+/=-]{60,}"),
    _token("age-key", "AGE-SECRET-KEY-", r"AGE-SECRET-KEY-[A-Z0-9-]{50,}"),
    _token("ssh-key", "b3BlbnNzaC1rZXktdjE", r"b3BlbnNzaC1rZXktdjE[A-Za-z0-9+/=]{40,}"),
    # Messages and mail
    _token("slack-token", "xox", r"xox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{10,}"),
    _token("slack-token", "xapp-", r"xapp-\d-[A-Za-z0-9-]{20,}"),
    _token("telegram-token", ":A", r"(?:bot)?\d{8,10}:A[\w-]{33,}"),
    _token(
        "discord-token",
        ".",
        r"[MNO][DTjz][\w-]{20,26}\.[\w-]{6}\.[\w-]{27,}|mfa\.[\w-]{60,}",
        must_mix=True,
    ),
    _token("sendgrid-key", "SG.", _ALONE + r"SG\.[\w-]{16,64}\.[\w-]{16,}"),
    _token("twilio-key", "SK", r"SK[0-9a-f]{32}(?![A-Za-z0-9])"),
    _token("mailgun-key", "key-", r"key-[0-9a-f]{32}(?![A-Za-z0-9])"),
    _token("mailgun-key", "-", r"[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![A-Za-z0-9-])"),
    _token("mailchimp-key", "-us", r"[0-9a-f]{32}-us\d{1,2}(?![A-Za-z0-9])"),
    _token("brevo-key", "xkeysib- xsmtpsib-", r"x(?:key|smtp)sib-[0-9a-f]{64}-[A-Za-z0-9]{16,}"),
    _token("resend-key", "re_", _ALONE + r"re_[A-Za-z0-9]{6,12}_[A-Za-z0-9]{20,}"),
    # Payments and shops
    _token("stripe-key", "_live_ _test_", r"[sr]k_(?:live|test)_[A-Za-z0-9]{10,}"),
    _token(
        "service-key",
        "sk_ rk_",
        r"[sr]k_(?:prod(?:uction)?|dev(?:elopment)?|stag(?:e|ing)|sandbox|preview|uat|qa|beta|local)"
        r"_[A-Za-z0-9]{12,}",
        must_mix=True,
    ),
    _token("stripe-webhook-secret", "whsec_", r"whsec_[A-Za-z0-9+/=]{20,}"),
    _token("square-token", "sq0", r"sq0[a-z]{3}-[\w-]{22,}"),
    _token("square-token", "EAAA", r"EAAA[\w-]{56,}"),
    _token("facebook-token", "EAA", r"EAA[A-Za-z0-9]{60,}"),
    _token("shopify-token", "shp", r"shp[a-z]{2}_[0-9a-fA-F]{32}"),
    _token(
        "paypal-token", "access_token$", r"access_token\$(?:production|sandbox)\$\w+\$[0-9a-f]+"
    ),
    _token("plaid-token", "access-", rf"access-(?:sandbox|development|production)-{_UUID}"),
    # Work
    _token("linear-key", "lin_", r"lin_(?:api|oauth)_[A-Za-z0-9]{32,}"),
    _token("notion-token", "ntn_ secret_", r"(?:ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43})"),
    _token("airtable-token", "pat", r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    _token("figma-token", "figd_", r"figd_[\w-]{36,}"),
    _token("dropbox-token", "sl.", _ALONE + r"sl\.[\w-]{60,}", must_mix=True),
    _token("twitter-token", "AAAAAAAAAAAAAAAAAAAA", r"A{20,}[A-Za-z0-9%]{40,}"),
    # Others, whose prefix ends in no hyphen, or whose body has parts
    _token("dynatrace-token", "dt0", r"dt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{60,}"),
    _token("easypost-key", "EZAK EZTK", r"EZ[AT]K[A-Za-z0-9]{50,}"),
    _token("harness-token", "pat. sat.", r"[ps]at\.[\w-]{20,24}\.[0-9a-f]{24}\.\w{16,}"),
    _token("hubspot-token", "pat-", rf"pat-[a-z]{{2}}\d-{_UUID}"),
    _token("launchdarkly-key", "sdk- mob-", _ALONE + rf"(?:sdk|mob)-{_UUID}"),
    _token("mapbox-token", "sk.eyJ", _ALONE + r"sk\.eyJ[\w-]{20,}\.[\w-]{16,}"),
    _token("tinybird-token", "p.eyJ", _ALONE + r"p\.eyJ[\w-]{20,}\.[\w-]{20,}"),
    _token("nuget-key", "oy2", _ALONE + r"oy2[a-z0-9]{43}(?!\w)"),
    _token("octopus-key", "API-", _ALONE + r"API-[A-Z0-9]{25,}(?!\w)", must_mix=True),
    _token("openshift-token", "sha256~", r"sha256~[\w-]{43}"),
    _token("brave-key", "BSA", _ALONE + r"BSA[\w-]{28,}", must_mix=True),
    _token("scaleway-key", "SCW", _ALONE + r"SCW[A-Z0-9]{17}(?!\w)", must_mix=True),
    _token("yandex-key", "AQVN", _ALONE + r"AQVN[\w-]{34,}"),
    _token("yandex-key", "YC", _ALONE + r"YC[\w-]{38}(?![\w-])", must_mix=True),
    _token(
        "yandex-token", "y0_ t1.", _ALONE + r"(?:y0_[\w-]{50,}|t1\.[\w-]{60,}={0,2}\.[\w-]{60,})"
    ),
    _token("volcengine-key", "AKLT", _ALONE + r"AKLT[\w-]{40,}"),
    _token("qianfan-key", "bce-v3/", r"bce-v3/ALTAK-\w{16,}/[0-9a-f]{40}"),
    _token("zhipu-key", ".", r"[0-9a-f]{32}\.[A-Za-z0-9]{16}(?![\w.])", must_mix=True),
    _token("siliconflow-key", "sk-", _ALONE + r"sk-[a-z]{48}(?![\w-])"),
    _token("snyk-token", "snyk_", r"snyk_[us]at\.[\w.-]{30,}"),
    _token("voiceflow-key", "VF.", r"VF\.(?:[A-Z]{2}\.)?[0-9a-f]{24}\.\w{14,}"),
    _token("circle-key", "_KEY:", r"(?:LIVE|TEST)_(?:API|CLIENT)_KEY:[0-9a-f]{32}:[0-9a-f]{32}"),
    _token("razorpay-key", "rzp_", r"rzp_(?:live|test)_\w{14,}"),
    _token("lark-token", "-g", _ALONE + r"[atu]-g[0-9a-z]{38,}", must_mix=True),
    _token(
        "dify-key",
        "app- dataset-",
        _ALONE + rf"(?:app|dataset)-{_BOTH_CASES}[A-Za-z0-9]{{24}}(?!\w)",
    ),
    _token("service-key", "live_", _ALONE + rf"live_{_BOTH_CASES}[\w-]{{24,}}"),
    _token("privy-key", "wallet-auth:", r"wallet-auth:[A-Za-z0-9+/]{60,}={0,2}"),
    # Markets and chains
    _token("alchemy-token", "alcht_", r"alcht_[A-Za-z0-9]{24,}"),
    _token("coingecko-key", "CG-", _ALONE + r"CG-[A-Za-z0-9]{22,}(?![A-Za-z0-9])"),
    _token("nostr-key", "nsec1", r"nsec1[02-9ac-hj-np-z]{50,}"),
    _token("sui-key", "suiprivkey1", r"suiprivkey1[02-9ac-hj-np-z]{50,}"),
    _token("cardano-key", "sk1", r"[a-z0-9_]{1,24}sk1[02-9ac-hj-np-z]{50,}"),
    _token("aptos-key", "-priv-0x", r"(?:ed25519|secp256k1)-priv-0x[0-9a-fA-F]{64}"),
    # Signed tokens of any issuer: three parts, or five if encrypted
    _token(
        "jwt",
        "eyJ",
        r"(?<![\w.-])eyJ[\w-]{8,}\.(?:eyJ[\w-]{8,}(?:\.[\w-]*)?|[\w-]*(?:\.[\w-]{8,}){3})",
    ),
)


_BY_MARK: Final = tuple((mark, token) for token in _TOKENS for mark in token.marks)


def find(text: str, long_words: str) -> Iterator[Secret]:
    """Yield every token of the table.

    Args:
        long_words: the words of the text that are long enough for a token.
    """
    for token in dict.fromkeys([token for mark, token in _BY_MARK if mark in long_words]):
        for match in token.pattern.finditer(text):
            if not token.must_mix or is_mixed(match[0]):
                yield Secret(match.start(), match.end(), token.kind)
