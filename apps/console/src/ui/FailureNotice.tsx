import type { ReactNode } from 'react'
import { Notice } from './Notice.tsx'

/** Why something failed, as a call answers it. `request_id` is missing where no server answered. */
export type Said = { detail: string; request_id?: string }

/** The number of the request that failed: whoever is asked for help finds it in the log. */
export const RequestNumber = ({ of }: { of: Said }) =>
  of.request_id ? (
    <span className="mt-0.5 block text-xs text-fg-2">
      Request <code className="mono select-all">{of.request_id}</code>
    </span>
  ) : null

/** A failure in words, with its number: for a toast or a sentence. */
export const FailureWords = ({ of }: { of: Said }) => (
  <>
    {of.detail}
    <RequestNumber of={of} />
  </>
)

/** A failure inside a page or a dialog. `children` are words in place of the server's own. */
export const FailureNotice = ({ of, children, action }: { of: Said; children?: ReactNode; action?: ReactNode }) => (
  <Notice tone="bad" action={action}>
    {children ?? of.detail}
    <RequestNumber of={of} />
  </Notice>
)
