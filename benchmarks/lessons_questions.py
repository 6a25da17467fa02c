"""Questions about a decision at hand, in words that no lesson uses.

Each set was written once, before recall was measured with it. By the first three the reading of
questions was mended afterwards; `UNSEEN` was written after that, and nothing was mended by it. Only
`UNSEEN` says how recall does with words that nobody thought of: whoever mends the reading by it
writes another set.
"""

from collections.abc import Mapping
from typing import Final

from afterword.pipeline.rules.market.outcome import Stance

Questions = Mapping[Stance, tuple[str, ...]]
"""By the direction that is asked about; `{}` is the asset."""

FIRST: Final[Questions] = {
    "long": (
        "Thinking of picking up some {} here, what bit us last time?",
        "Would you buy {} for the next day?",
        "Considering a bid in {}, horizon 24h.",
        "I am bullish on {} into tomorrow.",
        "{} should trade higher by this time tomorrow. Objections?",
        "Ready to add exposure to {}; anything I should know?",
        "Is {} going up from here?",
        "Entering {} on the buy side, one day hold.",
        "My model expects upside in {} over a day.",
        "Loading up on {} now.",
        "Going long {} with a tight stop.",
        "Do we own {} overnight?",
    ),
    "short": (
        "Thinking of fading {} here, what bit us last time?",
        "Would you sell {} for the next day?",
        "Considering puts on {}, horizon 24h.",
        "I am bearish on {} into tomorrow.",
        "{} should trade lower by this time tomorrow. Objections?",
        "Ready to bet against {}; anything I should know?",
        "Is {} going down from here?",
        "Entering {} on the sell side, one day hold.",
        "My model expects downside in {} over a day.",
        "{} looks heavy, it rolls over soon.",
        "Going short {} with a tight stop.",
        "Do we dump {} today?",
    ),
    "neutral": (
        "I would rather stay out of {} for a day.",
        "{}: stand aside or is that a mistake?",
        "{} goes nowhere until tomorrow, I think.",
        "No position in {} over the next 24 hours?",
        "Sitting on my hands in {}.",
        "{} stays flat over the coming day.",
        "Keep {} on hold.",
        "Wait on {} today?",
        "{} chops sideways for a day.",
    ),
}

SECOND: Final[Questions] = {
    "long": (
        "About to open a long position on {}, 1 day.",
        "Can I get into {} now, or is it too late?",
        "Signal says {} rallies over the next session.",
        "We plan to lift the offer in {} and ride it for a day.",
        "{} breakout trade: what should I watch?",
        "I want upside exposure to {} until tomorrow night.",
        "Reversal setup in {}: catching the knife for a 24h hold.",
        "My target for {} is 5 % above the current price within a day.",
        "Does buying strength in {} work for us?",
        "Put on {} calls expiring tomorrow?",
        "Scaling in to {} on this level.",
        "{} to outperform over the next 24 hours, size 2x.",
    ),
    "short": (
        "About to open a short position on {}, 1 day.",
        "Time to unload {} before it gets worse?",
        "Signal says {} slides over the next session.",
        "We plan to hit the bid in {} and cover within a day.",
        "{} breakdown trade: what should I watch?",
        "I want downside exposure to {} until tomorrow night.",
        "Blow-off top in {}: leaning against it for a 24h hold.",
        "My target for {} is 5 % below the current price within a day.",
        "Does selling weakness in {} work for us?",
        "Buy protection on {} for tomorrow?",
        "Scaling out of {} and flipping negative.",
        "{} to underperform over the next 24 hours, size 2x.",
    ),
    "neutral": (
        "Nothing to do in {} today, agreed?",
        "I see no edge in {} for the coming day.",
        "{} will probably trade in a tight band for 24h.",
        "Skip {} this time?",
        "Leave {} alone until tomorrow.",
        "Is it right to sit this one out in {}?",
        "{} is going to be boring for a day.",
        "Pass on {}?",
        "Expecting little movement in {} by tomorrow.",
    ),
}

THIRD: Final[Questions] = {
    "long": (
        "Proposed action: enter {} with a bullish bias, horizon one day.",
        "I intend to increase my {} holdings now.",
        "{}: momentum is positive and I want to participate for 24 hours.",
        "Considering taking a position in {} that profits if it appreciates by tomorrow.",
        "Should I grab {} at this price?",
        "Open {} at market, 3x leverage, expecting continuation to the upside.",
        "Thesis: {} heads north over the next day.",
        "Is now a good entry for {}?",
        "Add {} to the book for a day?",
        "Planning a {} purchase; any past mistakes I should know?",
        "Betting on {} to recover within 24h.",
        "The order would be: {} long 24h, stop 3 %.",
    ),
    "short": (
        "Proposed action: enter {} with a bearish bias, horizon one day.",
        "I intend to reduce my {} holdings and go net negative now.",
        "{}: momentum is negative and I want to press it for 24 hours.",
        "Considering taking a position in {} that profits if it loses value by tomorrow.",
        "Should I bet on {} tanking from here?",
        "Open a {} hedge at market, expecting continuation to the downside.",
        "Thesis: {} heads south over the next day.",
        "Is now a good moment to sell {} short?",
        "Take {} out of the book and lean the other way for a day?",
        "Planning a {} sale; any past mistakes I should know?",
        "Betting on {} to give back its gains within 24h.",
        "The order would be: {} short 24h, stop 3 %.",
    ),
    "neutral": (
        "Proposed action: none in {}, horizon one day.",
        "I intend to keep my hands off {} for now.",
        "{}: signals conflict and I would rather not trade it for 24 hours.",
        "No clear direction in {} by tomorrow; do nothing?",
        "Should I ignore {} today?",
        "{} is likely to consolidate over the next day.",
        "Thesis: {} ends the day about where it is.",
        "The order would be: no order in {}.",
        "Remain in cash instead of {} for a day.",
    ),
}

UNSEEN: Final[Questions] = {
    "long": (
        "I want to be in {} when it turns, one day.",
        "Would it be smart to pull the trigger on {} with a stop under the low?",
        "We are constructive on {} for tomorrow.",
        "{} squeeze incoming, I take the other side of the shorts.",
        "Funding is negative in {}, so I expect it to pop within 24h.",
        "Pick {} off the floor for a day trade?",
        "Chasing {} here: good or bad idea?",
        "{} has room to run until tomorrow.",
        "Let me put money to work in {} for a day.",
        "Green light for {}: one unit, 24 hours.",
        "Support held in {}; join the move?",
        "My conviction is that {} closes the day in the green.",
    ),
    "short": (
        "I want to be against {} when it turns, one day.",
        "Would it be smart to take the downside in {} with a stop over the high?",
        "We are cautious on {} and position for weakness tomorrow.",
        "{} is due for a flush, I take the other side of the longs.",
        "Funding is extreme in {}, so I expect it to unwind within 24h.",
        "Cut {} loose for a day trade the other way?",
        "Selling {} into this: good or bad idea?",
        "{} has further to fall until tomorrow.",
        "Let me bet on a lower {} for a day.",
        "Red light for {}: get on the sell side, 24 hours.",
        "Support broke in {}; join the move?",
        "My conviction is that {} closes the day in the red.",
    ),
    "neutral": (
        "I want no part of {} for one day.",
        "Would it be smart to wait for a better level in {}?",
        "We have no view on {} for tomorrow.",
        "{} is stuck, and I will watch it from the sidelines.",
        "Funding is balanced in {}, so I expect calm for 24h.",
        "Take a day off from {}?",
        "Not touching {} here: good or bad idea?",
        "{} is fairly priced until tomorrow.",
        "My conviction is that {} closes the day unchanged.",
    ),
}
