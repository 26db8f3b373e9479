export const definitionsParent = { to: "/definitions", label: "Definitions" } as const;
