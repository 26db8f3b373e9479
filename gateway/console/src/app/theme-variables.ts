import type { CSSVariablesResolver } from "@mantine/core";

/** Overrides Mantine's dimmed text color, which is too pale for WCAG 2.2 AA on gray backgrounds. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": "#596069",
    "--mantine-color-placeholder": "#6b727b",
    "--mantine-color-anchor": "#3a48a9",
    "--mantine-color-error": "#c01f1f",
    "--ems-good": "#0b6e4f",
    "--ems-bad": "#c01f1f",
    "--ems-warning": "#8a5300",
    "--ems-accent-text": "#3a48a9",
  },
  dark: {
    "--mantine-color-body": "#17181c",
    "--mantine-color-dimmed": "#a3a7b0",
    "--mantine-color-placeholder": "#8c919b",
    "--mantine-color-anchor": "#a9b4f5",
    "--mantine-color-error": "#ff8f8f",
    "--ems-good": "#63d3a8",
    "--ems-bad": "#ff8f8f",
    "--ems-warning": "#f0b45c",
    "--ems-accent-text": "#a9b4f5",
  },
});
