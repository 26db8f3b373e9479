export const definitionsParent = { to: "/definitions", label: "Evaluators" } as const;
