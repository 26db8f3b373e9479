import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import classes from "./markdown.module.css";

/** Replaces images, which would load from arbitrary hosts, and headings, which would disturb the page's outline. */
const components: Components = {
  img: ({ alt }) => <span>{alt === undefined || alt === "" ? "[image]" : `[image: ${alt}]`}</span>,
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  ),
  h1: ({ children }) => <p className={classes.heading}>{children}</p>,
  h2: ({ children }) => <p className={classes.heading}>{children}</p>,
  h3: ({ children }) => <p className={classes.heading}>{children}</p>,
  h4: ({ children }) => <p className={classes.heading}>{children}</p>,
  h5: ({ children }) => <p className={classes.heading}>{children}</p>,
  h6: ({ children }) => <p className={classes.heading}>{children}</p>,
  pre: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
    <pre tabIndex={0}>{children}</pre>
  ),
};

export default function MarkdownRendered({ text }: { readonly text: string }) {
  return (
    <div className={classes.markdown}>
      <ReactMarkdown remarkPlugins={[remarkGfm]} components={components} skipHtml={false}>
        {text}
      </ReactMarkdown>
    </div>
  );
}
