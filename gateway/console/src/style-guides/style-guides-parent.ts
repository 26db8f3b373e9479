export const styleGuidesParent = { to: "/style-guides", label: "Style guides" } as const;
