// The kinds of definitions, as people are told of them.

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
    description: "A model says whether the answer meets a criterion of yours: pass or fail.",
    needsModel: true,
  },
  OUTPUT_MATCH: {
    label: "Output match",
    description: "The answer, or what a pattern finds in it, is compared with what is expected. No model is asked.",
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
    description: "A model compares the answer with what the application looked up: relevancy, precision, faithfulness.",
    needsModel: true,
  },
  FACT: {
    label: "Facts",
    description: "A model compares the answer's claims with a ground truth, or with what a link expects.",
    needsModel: true,
  },
};

export const typeChoices = definitionTypes.map((value) => ({ value, label: aboutType[value].label }));
