// Renders Markdown from users and models. HTML is not rendered, only web links work, and images become links.

import { lazy, Suspense } from "react";
import classes from "./markdown.module.css";

const Rendered = lazy(() => import("./markdown-rendered.tsx"));

/** Maximum length to render. Longer text stays plain, because parsing it would block the main thread. */
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
