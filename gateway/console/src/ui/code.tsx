import classes from "./code.module.css";
import { Copy } from "./copy.tsx";

interface CodeBlockProps {
  readonly text: string;
  readonly label: string;
  readonly maxHeight?: number;
}

/** Shows verbatim text, which can be copied and scrolled by keyboard. */
export function CodeBlock({ text, label, maxHeight = 360 }: CodeBlockProps) {
  return (
    <div className={classes.frame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
      <section className={classes.text} style={{ maxHeight }} tabIndex={0} aria-label={label}>
        <pre>{text}</pre>
      </section>
      <span className={classes.copy}>
        <Copy value={text} label={`Copy ${label}`} />
      </span>
    </div>
  );
}
