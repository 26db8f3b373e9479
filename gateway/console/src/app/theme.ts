import { createTheme, type MantineColorsTuple } from "@mantine/core";

/** The only accent color. Everything else is gray, except the colors of passed, failed and warning states. */
const accent: MantineColorsTuple = [
  "#eef0fc",
  "#dce0f6",
  "#b8c0ec",
  "#929ee3",
  "#7280da",
  "#5d6dd5",
  "#5262d4",
  "#4251bc",
  "#3a48a9",
  "#2f3d95",
];

export const theme = createTheme({
  primaryColor: "accent",
  primaryShade: { light: 7, dark: 8 },
  colors: { accent },
  fontFamily: "Inter, system-ui, -apple-system, 'Segoe UI', Roboto, 'Open Sans', sans-serif",
  fontFamilyMonospace: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace",
  defaultRadius: "sm",
  cursorType: "pointer",
  respectReducedMotion: true,
  headings: {
    fontWeight: "600",
    sizes: {
      h1: { fontSize: "1.25rem", lineHeight: "1.4" },
      h2: { fontSize: "1rem", lineHeight: "1.5" },
      h3: { fontSize: "0.875rem", lineHeight: "1.5" },
    },
  },
  components: {
    Button: { defaultProps: { size: "xs" } },
    // Lay out what people type in its own direction.
    Input: { defaultProps: { dir: "auto" } },
    Title: { defaultProps: { dir: "auto" } },
    TextInput: { defaultProps: { size: "sm" } },
    Select: { defaultProps: { size: "sm" } },
    Tooltip: { defaultProps: { openDelay: 300 } },
    Modal: { defaultProps: { closeButtonProps: { "aria-label": "Close" } } },
    Drawer: { defaultProps: { closeButtonProps: { "aria-label": "Close" } } },
    Popover: { defaultProps: { shadow: "md" } },
    Menu: { defaultProps: { shadow: "md" } },
  },
});
