// Chart colors. They are in code, because a canvas cannot read style sheets.

export interface Palette {
  readonly text: string;
  readonly line: string;
  readonly accent: string;
  readonly band: string;
  readonly good: string;
  readonly bad: string;
  readonly errored: string;
  readonly muted: string;
  readonly tooltip: string;
  readonly tooltipText: string;
  readonly series: string[];
}

export const palettes: Readonly<Record<"light" | "dark", Palette>> = {
  light: {
    text: "#596069",
    line: "#e3e6ea",
    accent: "#4251bc",
    band: "rgba(66, 81, 188, 0.16)",
    good: "#4251bc",
    bad: "#d9594c",
    errored: "#d98a2b",
    muted: "#c3c8d0",
    tooltip: "#ffffff",
    tooltipText: "#22252b",
    series: ["#4251bc", "#2f9e8f", "#d98a2b", "#b0528f", "#6b7280", "#8aa63a"],
  },
  dark: {
    text: "#a3a7b0",
    line: "#33363d",
    accent: "#929ee3",
    band: "rgba(146, 158, 227, 0.2)",
    good: "#7280da",
    bad: "#e57368",
    errored: "#e3aa62",
    muted: "#4a4e57",
    tooltip: "#24262c",
    tooltipText: "#e6e8ec",
    series: ["#929ee3", "#5cc2b4", "#e3aa62", "#d089b8", "#9aa1ad", "#b3c872"],
  },
};
