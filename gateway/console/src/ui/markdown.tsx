// Markdown of users and models: elements only, never HTML; links lead nowhere but to web pages, and images are links.

import { lazy, Suspense } from "react";
import classes from "./markdown.module.css";

const Rendered = lazy(() => import("./markdown-rendered.tsx"));

/** Beyond, the text is shown as it is: parsing it would stop the page. */
const charactersMax = 100_000;

export function Markdown({ text }: { readonly text: string }) {
  const plain = <div className={classes.plain}>{text}</div>;
  if (text.length > charactersMax) return plain;
  return (
    <Suspense fallback={plain}>
      <Rendered text={text} />
    </Suspense>
  );
}
