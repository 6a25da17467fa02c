"""64 hexadecimal digits: a private key if the words around say so, otherwise a hash."""

from collections.abc import Iterator
from typing import Final

from afterword.pipeline.expression import expression
from afterword.pipeline.rules.masking.finding import MARKER, Secret

KEY_DIGITS: Final = 64
_DIGITS: Final = expression(r"(?<![0-9A-Za-z])(?:0[xX])?[0-9a-fA-F]{64}(?![0-9A-Za-z])")
_CUE: Final = expression(
    r"""(?x)
    (?P<key> priv(?:ate)?[\s_.-]?key | from[\s_.-]?key | secret | sign(?:er|ing)[\s_.-]?key
      | (?:wallet|agent|account|master|eth|evm|deployer)[\s_.-]?key | with[\s_]?key | load[\s_]?key
      | (?<![a-z])(?:pk|sk|priv)(?![a-z]) | key[\s_]?to[\s_]?account | wallet\((?=["']?$)
      | 私[钥鑰] | 秘[钥鑰] | 密[钥鑰] | 秘密鍵 | 개인\s?키 | 비밀\s?키
      | priva\w{0,6}[\s_-]?(?:schl(?:ü|ue)ssel | key) | geheim\w{0,3}[\s_-]?schl(?:ü|ue)ssel
      | (?:cl[ée] | clave | llave | chiave | chave)[\s_-] (?:priv | secr | segret)
      | (?:приватн | закрыт | секретн)\w{1,3}\s(?:ключ | кей)
      | (?: import(?:ed|ing|s)? | 导入 | 導入 | 汇入 )
        (?=\W{0,3}
          (?:(?:the|my|a|an|your|this|raw|hex|new|main|key|wallet|account|into|in|to|metamask|rabby
            |phantom|with|using|via|from|as|it|hot|trading|钱包|錢包)\W{1,3}){0,6}
          \W{0,4}$) )
  | (?P<other> hash | tx | transaction | block | merkle | digest | sha[\s_-]?\d | keccak | cloid
      | pub(?:lic)?[\s_.-]?key | address | dedup | checksum | signature | 交易 | 哈希 | 区块 | 區塊
      | 地址 | 公钥 | 公鑰 | 订单
      | (?: pool | root | commit | topic | event | order | oid | proof | leaf | state | receipt
          | slot | condition | market | question | (?<![a-z])u?id(?![a-z]) | (?<![a-z])sig(?![a-z])
          | nonce | salt | deposit | batch )
        (?= \w* (?:\W{1,3}\w{1,20}){0,2} \W{0,4} $ ) )  # close by: a key may be that of a pool
    """
)
_AFTER: Final = expression(
    r"""(?x)
    ["'`)\]\s,]{0,4} (?: [(#=:—–-] | // | <- | is | was | as | ist | war | est | es | era | è | é
      | это | является | 是 | 为 | は | 은 | 는 )? \s{0,3}
    (?: (?: this | that | is | it | its | my | the | your | our | a | an | mein | dein | der | die
        | das | le | la | ma | mon | el | mi | il | mio | mia | minha | meu | o | мой | наш
        | 我的 | 你的 | new | old | hot | cold | main | raw | trading | bot | bot's | agent's | api
        | wallet | account | evm | eth ) \s{0,3} ){0,5}
    (?: priv(?:ate)?[\s_.-]?key | secret[\s_.-]?key
      | (?: agent | wallet | account | trading | sign(?:er|ing) | master | deployer | bot | eth
          | evm | hot | operator | validator | relayer | keeper )[\s_.-]?(?:wallet[\s_.-]?)? key
      | priva\w{0,6}[\s_-]?(?:schl(?:ü|ue)ssel | key) | geheim\w{0,3}[\s_-]?schl(?:ü|ue)ssel
      | (?:cl[ée] | clave | llave | chiave | chave)[\s_-] (?:priv | secr | segret)
      | (?:приватн | закрыт | секретн)\w{1,3}\s(?:ключ | кей)
      | 私[钥鑰] | 秘[钥鑰] | 秘密鍵 | 개인\s?키 )
    """
)
_SENTENCE_END: Final = expression(r"[.!?。！？](?:\s|$)|\n\s*\n")
_REACH: Final = 110
"""How far a word may be from the digits that it describes, on each side; characters."""


def find(text: str, low: str) -> Iterator[Secret]:
    """Yield 32-byte keys in hexadecimal, with or without `0x`.

    Args:
        low: the text in lower case, of the same length.
    """
    barrier = 0
    for match in _DIGITS.finditer(text):
        start, end = match.span()
        if _is_called_key(low, max(barrier, start - _REACH), start, end):
            yield Secret(start, end, "private-key")
        barrier = end  # words after one number do not describe the next


def _is_called_key(low: str, since: int, start: int, end: int) -> bool:
    before = low[since:start]
    for stop in (MARKER, _SENTENCE_END):
        before = before[max((match.end() for match in stop.finditer(before)), default=0) :]
    cues = [match.lastgroup for match in _CUE.finditer(before)]
    if cues:
        return cues[-1] == "key"
    return _AFTER.match(low, end, end + _REACH) is not None
