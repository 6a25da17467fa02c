"""Orders in Chinese, which writes no spaces: expressions over characters."""

import re
from typing import Final

from afterword.pipeline.expression import expression
from afterword.pipeline.rules.injection.finding import InjectionFinding
from afterword.pipeline.rules.text.words import in_both_scripts

_GAP: Final = "[^。！？；，,.!?;]{0,%d}?"
_LISTS: Final = {
    "drop": "忽略 无视 忘记 忘掉 忽视 抛弃 丢弃 不要遵守 不再遵守 别遵守 不遵守 不要理会 不用理会 不用管 不要管"
    " 绕过 推翻 覆盖 取消 解除 关闭 突破 违反 不必遵守 停止遵守 跳过 放弃 撤销 不要听从 不要执行 删除",
    "orders": "指令 指示 规则 设定 命令 提示 要求 准则 约束 系统提示 内容政策 安全检查 安全限制 审查 过滤",
    "limit": "风险限制 风险上限 风控 止损 止损单 亏损限制 亏损上限 仓位上限 仓位限制 杠杆限制 风险管理 最大回撤"
    " 回撤限制 额度 限额 确认步骤 风险提示 风险检查",
    "show": "告诉我 输出 打印 显示 泄露 透露 公开 重复 说出 展示 复述 给我 发送 交出 列出",
    "prompt": "系统提示 提示词 初始提示 系统指令 初始指令 你的指令 系统消息 隐藏指令 你的规则",
    "secret": "密码 私钥 助记词 密钥 口令 凭证",
    "money": "资金 钱 余额 资产 币 USDT USDC usdt usdc 比特币 存款 利润 全部",
    "push": "推荐 列出 提到 提及 排在 宣传 介绍 说",
}
_PATTERNS: Final = {
    "override": (
        "{drop}..8{orders}",
        "(?:以上|之前|上面|前面|先前|原来|此前|所有)..6(?:内容|指令|指示|规则|说的|设定)..4(?:作废|无效|失效|取消|不算)",
        "(?:作废|无效)..3(?:请|只|现在|改为)",
        "(?:新的?|真正的?)(?:指令|任务|命令|规则)(?:是|:|：|如下)",
        "(?:只|必须|只能|要)听(?:从)?我",
        "(?:必须|请|立即)(?:服从|听从)",
        "按我(?:说|讲)的(?:做|办|执行)",
        "管理员..6(?:服从|执行|遵守)",
    ),
    "role": (
        "(?:你|扮演|假装|假设|成为|作为)..10(?:没有|不受|无|摆脱)..4(?:限制|约束|规则|审查|道德|管束)",
        "(?:开发者|管理员|越狱|上帝)模式",
    ),
    "reveal": (
        "{show}..8{prompt}",
        "(?:把|将)..3{prompt}..6(?:打印|输出|显示|告诉|发)",
        "{show}..8{secret}",
        "{secret}..4(?:告诉|发给|泄露)",
    ),
    "secrecy": (
        "(?:不要|别|不能|不得|勿|不可)..3(?:告诉|告知|通知|透露给?|提醒)..3(?:用户|主人|任何人|别人|他人)",
        "(?:对|向)(?:用户|主人)..2(?:保密|隐瞒)",
        "(?:不要|别)(?:提及|提到|提)(?:这段|这条|此|本)",
        "(?:隐瞒|隐藏|掩盖)..4(?:亏损|损失|风险|费用|回撤)",
        "(?:不要|别|不得)(?:提|提及|提到|披露|显示)..6(?:风险|亏损|费用)",
    ),
    "limits": (
        "{drop}..6{limit}",
        "(?:取消|关闭|撤掉|删除|停用)..3(?:所有|全部)?止损",
        "(?:调|开|拉|加|提|升|设|用|打)..2杠杆..3(?:最高|最大|拉满|极限)",
        "杠杆..3(?:开|调|拉|加|提|升|设|用|打)..2(?:最高|最大|上限|满|极限|一百倍|[5-9]\\d倍|\\d{{3,}}倍)",
        "(?:一百|[5-9]\\d|(?<!\\d)\\d{{3,}})倍杠杆",
        "(?:满仓|全仓|梭哈)(?:买入|做多|做空|杀入|买|冲|下注)",
        "全部买入",
        "(?:限制|上限)..3(?:已|已经|不再)(?:解除|取消|适用|有效)",
    ),
    "transfer": (
        "(?:转|发|汇|打|提)(?:到|至|给|往)..4(?:地址|钱包|账户|帐户|账号)",
        "(?:把|将)..6{money}..4(?:转|发|汇|打|提)(?:到|至|给|往|出|入)",
        "(?:转账|汇款|提现|提币)(?:到|至|给)..6(?:地址|钱包|账户)",
    ),
    "approval": (
        "(?:无需|不用|不必|不需要|跳过|省略|免除|不要|别|略过)..3(?:确认|审批|批准|询问|同意|再问|授权|许可)",
        "(?:批准|同意|通过|授权|签署|确认)(?:所有|全部|一切|任何|每一?笔)..6(?:提现|交易|请求|订单|转账|授权|提币)",
        "(?:已|已经)..3(?:批准|授权|同意|确认)..6(?:不用|无需|不必|直接|别)",
    ),
    "promotion": (
        "(?:总是|始终|永远|每次|一律|必须|都要?|优先|只)..8{push}..12(?:第一|首位|最好|最佳|最前|首选|交易所|币|平台)",
        "(?:总是|始终|永远|一律)..2(?:推荐|把)..12(?:第一|首位|最前|首选|最好|交易所|平台|币)",
        "(?:不管|无论)(?:用户|别人|谁)..10(?:推荐|说|回答|列出)",
    ),
}


_SOURCES: Final = {
    name: f"(?:{'|'.join(in_both_scripts(dict.fromkeys(words.split())))})"
    for name, words in _LISTS.items()
}


def _compiled(pattern: str) -> re.Pattern[str]:
    source = re.sub(r"\.\.(\d+)", lambda gap: _GAP % int(gap[1]), pattern)
    return expression(source.format(**_SOURCES) if "{0," not in source else _filled(source))


def _filled(source: str) -> str:
    for name, words in _SOURCES.items():
        source = source.replace(f"{{{name}}}", words)
    return source.replace("{{", "{").replace("}}", "}")


_RULES: Final = tuple(
    (family, _compiled(pattern)) for family, patterns in _PATTERNS.items() for pattern in patterns
)
_HAN: Final = expression("[\u4e00-\u9fff]")
_DENIAL: Final = expression(
    "(?:不要|别|切勿|永不|永远不要|不能|不可|绝不|不得|从不|不)[^。！？；，,.]{0,2}$"
)
_DENIABLE: Final = frozenset(("override", "limits", "transfer", "approval"))


def find(text: str) -> list[InjectionFinding]:
    """Return the findings in the Chinese of a plain text."""
    if not _HAN.search(text):
        return []
    packed = re.sub(r"\s+", "", text)
    return [
        InjectionFinding(family, found[0])
        for family, pattern in _RULES
        if (found := pattern.search(packed))
        and not (family in _DENIABLE and _DENIAL.search(packed[: found.start()]))
    ]
