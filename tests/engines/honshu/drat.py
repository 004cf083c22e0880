"""A checker of DRAT proofs, in the simplest way: every clause must follow by unit propagation alone (RUP).

It knows nothing of the solver. It ignores deletions, which is sound, and refuses clauses that only RAT would
allow; CaDiCaL's options here make none.
"""

from collections.abc import Iterable, Sequence


class Checker:
    """Clauses with two watched literals each, and what follows from the single literals among them."""

    def __init__(self, clauses: Iterable[Sequence[int]]) -> None:
        self.watched: dict[int, list[list[int]]] = {}
        self.true: set[int] = set()
        self.refuted = False
        for clause in clauses:
            self._add(clause)

    def _add(self, clause: Sequence[int]) -> None:
        # Literals that are false for good come last, so that they are watched only in a unit or empty clause.
        literals = sorted(set(clause), key=lambda literal: -literal in self.true)
        if any(-literal in literals for literal in literals):
            return
        for literal in literals[:2]:
            self.watched.setdefault(literal, []).append(literals)
        free = [literal for literal in literals if -literal not in self.true]
        if len(free) < 2:
            self.refuted |= not free or self._propagate([free[0]], self.true)

    def _propagate(self, todo: list[int], true: set[int]) -> bool:
        """Add to `true` what follows from more literals; whether they contradict it."""
        while todo:
            literal = todo.pop()
            if -literal in true:
                return True
            if literal in true:
                continue
            true.add(literal)
            kept = []
            clauses = self.watched.pop(-literal, [])
            for number, clause in enumerate(clauses):
                if clause[0] == -literal:
                    clause[:2] = clause[1::-1] if len(clause) > 1 else clause
                other = clause[0]
                if other in true:
                    kept.append(clause)
                    continue
                for place in range(2, len(clause)):
                    if -clause[place] not in true:
                        clause[1], clause[place] = clause[place], clause[1]
                        self.watched.setdefault(clause[1], []).append(clause)
                        break
                else:
                    kept.append(clause)
                    if -other in true:
                        self.watched[-literal] = kept + clauses[number + 1 :]
                        return True
                    todo.append(other)
            self.watched[-literal] = kept
        return False

    def follows(self, clause: Sequence[int]) -> bool:
        """Whether the opposite of a clause leads to a contradiction by unit propagation."""
        return self.refuted or self._propagate([-literal for literal in clause], set(self.true))

    def refutes(self, proof: Iterable[str]) -> bool:
        """Whether a proof, in lines as CaDiCaL writes them, is right and ends in the empty clause."""
        for line in proof:
            words = line.split()
            if not words or words[0] == "d":
                continue
            clause = [int(word) for word in words if word != "0"]
            if not self.follows(clause):
                return False
            if not clause:
                return True
            self._add(clause)
        return self.refuted
