// Labels and descriptions of the types of definitions.

export const definitionTypes = ["NATURALNESS", "STYLE", "RECALL", "FACT", "CUSTOM", "OUTPUT_MATCH"] as const;
export type DefinitionType = (typeof definitionTypes)[number];

interface About {
  readonly label: string;
  readonly description: string;
  readonly needsModel: boolean;
}

export const aboutType: Readonly<Record<DefinitionType, About>> = {
  CUSTOM: {
    label: "Criterion",
    description: "A model decides whether the answer meets your criterion: pass or fail.",
    needsModel: true,
  },
  OUTPUT_MATCH: {
    label: "Output match",
    description: "Compares the answer, or the matches of a pattern in it, with the expected answer. Needs no model.",
    needsModel: false,
  },
  NATURALNESS: {
    label: "Naturalness",
    description: "A model grades coherence, engagement, naturalness, relevance and clarity from 1 to 5.",
    needsModel: true,
  },
  STYLE: {
    label: "Style",
    description: "A model grades the answer by each section of a style guide, from 1 to 5.",
    needsModel: true,
  },
  RECALL: {
    label: "Recall",
    description: "A model compares the answer with the retrieved context: relevancy, precision, faithfulness.",
    needsModel: true,
  },
  FACT: {
    label: "Facts",
    description: "A model compares the answer's claims with a ground truth or with the expected answer of a link.",
    needsModel: true,
  },
};

export const typeChoices = definitionTypes.map((value) => ({ value, label: aboutType[value].label }));
