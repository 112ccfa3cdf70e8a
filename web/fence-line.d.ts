/** What is shown. */
export interface Shown {
  /** As the fragment of a link, without its `#`: what it shows and how it is looked at. */
  fragment: string;
  /** As a document of the scenario format. */
  scenario: Scenario;
}

/** A document of the scenario format, version 1. */
export interface Scenario {
  version: 1;
  title?: string;
  [field: string]: unknown;
}

/** What a run comes to. */
export interface Verdict {
  class: "neutral" | "accepted" | "fenced" | "refused" | "stale-accepted" | "corrupting";
  /** The verdict in one sentence, as the figure shows it. */
  sentence: string;
  /** What there is to add; may be empty. */
  detail: string;
  /** How many decisions there were of each outcome. */
  counts: Record<"accepted" | "stale_accepted" | "stale_rejected" | "holder_refused" | "replayed", number>;
  /** Whether each property holds. */
  properties: Record<"no-overwrite" | "no-stale-write" | "no-lost-update" | "at-most-once" | "holder-served", boolean>;
}

/** One thing that is wrong with a document. */
export interface Problem {
  /** Where, as a JSON Pointer. */
  path: string;
  /** What is there. */
  found: string;
  /** What may be there. */
  allowed: string;
}

/** Why something was not done. */
export interface FenceLineError extends Error {
  /**
   * From the figure: `scenario`, `link`, `superseded`, `shape`, `size`, `type`, `version`, or `failed` when it stopped.
   * From the element: `source`, `size`, `shape`, `timeout`, `closed`, `superseded`.
   */
  code: string;
  /** What is wrong with a document; empty when it is something else. */
  problems: Problem[];
}

/** The events of the element. None of them bubbles. */
export interface FenceLineEventMap {
  /** The living figure is there. */
  ready: CustomEvent<{ version: string }>;
  /** A reader changed what is shown, and it has come to rest. What the page sets itself is not told. */
  change: CustomEvent<Shown>;
  /** The run comes to something else now; also told once after `ready`. Not told while the reader is to predict it. */
  verdict: CustomEvent<Verdict>;
  /** The figure did not open, stopped, or could not open its link. */
  error: CustomEvent<FenceLineError>;
}

/** `<fence-line>`: a picture that becomes a living figure when somebody wants it to. */
export class FenceLine extends HTMLElement {
  /** Where the built page is, for every element without an attribute `page`. Set it when this module is bundled. */
  static page: string;
  /** Whether the living figure is there. */
  readonly live: boolean;
  /** Brings the living figure; settled when it is there. */
  open(): Promise<void>;
  /** Puts the living figure away: the picture is there again. */
  close(): void;
  /** What is shown now. Opens the figure if need be. */
  get(): Promise<Shown>;
  /** Shows another scenario: a document, its JSON, or a link. Opens the figure if need be. */
  set(scenario: Scenario | string): Promise<Shown>;
  addEventListener<K extends keyof FenceLineEventMap>(
    type: K,
    listener: (this: FenceLine, event: FenceLineEventMap[K]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
  removeEventListener<K extends keyof FenceLineEventMap>(
    type: K,
    listener: (this: FenceLine, event: FenceLineEventMap[K]) => void,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "fence-line": FenceLine;
  }
}
