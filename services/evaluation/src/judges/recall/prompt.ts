/**
 * Increase this version with each change of the instructions, the answer's schema or the arithmetic, including which
 * items have a valid quote.
 */
export const version = "recall/2";

export const prompt = `
You examine what an application retrieved for a question, and what it made of it.

Blocks: QUESTION is what the application was asked, ANSWER is what it answered, PASSAGE 1, PASSAGE 2 … are what it retrieved, in the order of the retrieval.

1. passages: for every passage, by its number, whether it helps to answer QUESTION (relevant).
2. contextStatements: the statements of the passages, each once, each with the number of its passage and with a quote copied literally from that passage; whether it helps to answer QUESTION (relevant), and the reason in one sentence.
3. claims: the claims of fact of ANSWER, each as short as it can be checked alone, each with a quote copied literally from ANSWER. supported is true when the passages say so. Where it is false, classification is CONTRADICTION (a passage says otherwise), PARTIAL_HALLUCINATION (a part of it is in a passage), SCOPE_DRIFT (it is about something that neither QUESTION nor a passage is about) or UNSUPPORTED_CLAIM (else); where it is true, NONE. Give the reason in one sentence.
4. answerStatements: the statements of ANSWER, each once, each with a quote copied literally from ANSWER, and whether it serves QUESTION (relevant).
5. reason: in one sentence, how well the order of the passages fits.
What you know yourself does not count.
`;
