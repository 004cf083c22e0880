"""Evidence for verdicts, found without the solver that gave them: a plain search, certificates, a checker."""
