"""Answers for examples of one's own: what is asked, what is answered and why, and the files that say so."""

from polythetic.answers.answered import Answer, Answers, Decider
from polythetic.answers.answering import answer
from polythetic.answers.question import Question, picture_question
from polythetic.answers.table_question import table_question

__all__ = ["Answer", "Answers", "Decider", "Question", "answer", "picture_question", "table_question"]
