"""Works out what the formulas of memories must give, apart from the code that is judged: Python's decimals, 60 digits.

    python3 scripts/formula-vectors.py > test/lifecycle/formula-vectors.json

Inputs are short decimals, so that both sides begin from the same numbers; a fixed seed makes the file again to the byte.
"""

import json
import random
from decimal import Decimal as D, getcontext

getcontext().prec = 60
dice = random.Random(20260215)
DAY = D(86400)


def number(value):
    """The nearest double, as JSON writes it."""
    return float(value)


def decimal(low, high, places):
    return D(dice.randint(int(low * 10**places), int(high * 10**places))) / 10**places


def score(uses, strength, seconds, decay):
    model = decay["model"]
    if model == "power_law":
        alpha, half = D(str(decay["alpha"])), D(str(decay["half_life_days"])) * DAY
        t0 = half / (D(2) ** (1 / alpha) - 1)
        kept = (1 + D(seconds) / t0) ** -alpha
    elif model == "exponential":
        kept = (-D(str(decay["lambda"])) * D(seconds)).exp()
    else:
        weight = D(str(decay["fast_weight"]))
        kept = weight * (-D(str(decay["fast_lambda"])) * D(seconds)).exp()
        kept += (1 - weight) * (-D(str(decay["slow_lambda"])) * D(seconds)).exp()
    return D(uses + 1) ** D(str(decay["beta"])) * kept * D(str(strength))


def decays(model):
    base = {
        "model": model,
        "alpha": 1.1,
        "half_life_days": 3,
        "lambda": 2.673e-6,
        "fast_weight": 0.7,
        "fast_lambda": 1.603e-5,
        "slow_lambda": 1.147e-6,
        "beta": 0.6,
    }
    yield base
    for _ in range(5):
        yield {
            "model": model,
            "alpha": number(decimal(0.2, 4, 2)),
            "half_life_days": number(decimal(0.1, 60, 1)),
            "lambda": number(decimal(1, 90, 1) / 10**7),
            "fast_weight": number(decimal(0, 1, 2)),
            "fast_lambda": number(decimal(1, 90, 1) / 10**6),
            "slow_lambda": number(decimal(1, 90, 1) / 10**7),
            "beta": number(decimal(0, 2, 2)),
        }


def scores():
    for model in ("power_law", "exponential", "two_component"):
        for decay in decays(model):
            for _ in range(12 if decay["alpha"] == 1.1 else 4):
                uses = dice.choice([0, 0, 1, 2, 3, 7, 20, 400])
                strength = number(decimal(0, 2, 2))
                seconds = dice.choice([0, 1, 59, 3600, 43200, 86400, 259200, 604800, dice.randint(1, 10**7), 10**9])
                yield {
                    "decay": decay,
                    "use_count": uses,
                    "strength": strength,
                    "seconds": seconds,
                    "score": number(score(uses, strength, seconds, decay)),
                }


def priorities():
    for text in ["0", "0.149999", "0.15", "0.150001", "0.2", "0.25", "0.31", "0.349999", "0.35", "0.350001", "1", "7"]:
        yield {"score": float(text), "priority": number(priority(D(text)))}
    for _ in range(20):
        value = decimal(0.1, 0.4, 6)
        yield {"score": number(value), "priority": number(priority(value))}


def priority(value):
    if value < D("0.15") or value > D("0.35"):
        return D(0)
    return max(D(0), 1 - ((value - D("0.25")) / D("0.10")) ** 2)


def merged():
    for _ in range(30):
        strengths = [decimal(0, 2, 2) for _ in range(dice.randint(2, 12))]
        cohesion = decimal(0, 1, 3)
        gain = min(cohesion * len(strengths) * D("0.1"), D("0.5"))
        yield {
            "strengths": [number(one) for one in strengths],
            "cohesion": number(cohesion),
            "strength": number(min(max(strengths) + gain, D(2))),
        }


WORDS = "the archive moves to Braga and Porto closes its office in May or June at 10 by us Braga".split()


def likenesses():
    for _ in range(30):
        one = [dice.choice(WORDS) for _ in range(dice.randint(1, 10))]
        other = [dice.choice(WORDS) for _ in range(dice.randint(1, 10))]
        a = {word.lower() for word in one if len(word) > 2}
        b = {word.lower() for word in other if len(word) > 2}
        shared = D(len(a & b)) / D(len(a | b)) if a and b else D(0)
        yield {"one": " ".join(one), "other": ", ".join(other), "likeness": number(shared)}


def uses():
    """Reinforcement: tags with a Jaccard index below 0.3 are another domain, which adds 0.05; a boost adds 0.1; 2 is the most."""
    tags = "a b c d e f".split()
    for _ in range(30):
        own = dice.sample(tags, dice.randint(0, 5))
        with_tags = dice.sample(tags, dice.randint(0, 5))
        boost = dice.random() < 0.4
        strength = decimal(0.5, 2, 2)
        union = set(own) | set(with_tags)
        abroad = bool(own and with_tags) and D(len(set(own) & set(with_tags))) / len(union) < D("0.3")
        gain = (D("0.05") if abroad else 0) + (D("0.1") if boost else 0)
        yield {
            "own": own,
            "tags": with_tags,
            "boost": boost,
            "strength": number(strength),
            "abroad": abroad,
            "after": number(min(strength + gain, D(2))),
        }


def blends():
    """Two results, one review and so on; reviews take int(n * ratio) places, and what one side lacks the other fills."""
    for limit, ratio, results, reviews in [
        (10, "0.3", 10, 10), (10, "0.3", 10, 2), (10, "0.3", 4, 10), (3, "0.3", 3, 3), (4, "0.3", 9, 9), (7, "0.3", 20, 20),
        (10, "0", 10, 10), (10, "1", 10, 10), (10, "0.5", 10, 10), (10, "0.3", 0, 5), (10, "0.3", 5, 0), (20, "0.3", 20, 20),
    ]:
        slots = int(D(limit) * D(ratio))
        due = [f"due{at}" for at in range(min(reviews, slots))]
        first = [f"hit{at}" for at in range(min(results, limit - len(due)))]
        order = []
        while first or due:
            if due and (len(order) % 3 == 2 or not first):
                order.append(due.pop(0))
            else:
                order.append(first.pop(0))
        yield {"limit": limit, "ratio": float(ratio), "results": results, "reviews": reviews, "order": order}


def triage():
    for text in ["0", "0.0499", "0.05", "0.0999", "0.1", "0.1999", "0.2", "0.2499", "0.25", "0.3499"]:
        value = D(text)
        for used in (0, 3, 5):
            for strength in (1.0, 1.5):
                urgency = "high" if value < D("0.10") else "medium" if value < D("0.25") else "low"
                if value < D("0.05"):
                    action = "reinforce" if used >= 5 else "collect"
                elif value < D("0.10"):
                    action = "reinforce" if used >= 3 else "collect"
                elif value < D("0.20"):
                    action = "consolidate"
                else:
                    action = "promote" if strength >= 1.5 else "reinforce"
                yield {"score": float(text), "use_count": used, "strength": strength, "urgency": urgency, "action": action}


parts = [scores, priorities, merged, likenesses, uses, blends, triage]
print("{")
for at, part in enumerate(parts):
    lines = ",\n".join("    " + json.dumps(one) for one in part())
    print(f'  "{part.__name__}": [\n{lines}\n  ]' + ("," if at + 1 < len(parts) else ""))
print("}")
