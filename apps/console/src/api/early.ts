/** A question that was asked before the console was there (`before-paint.ts`). */
type Early = { url: string; answer: Promise<Response>; at: number }
declare global {
  interface Window {
    mastheadEarly?: Early[]
  }
}

// Milliseconds; later it may have changed.
const fresh = 30_000

/** What was asked before a change says nothing of what is so after it. */
export const forgetEarly = (): void => void globalThis.window?.mastheadEarly?.splice(0)

/**
 * The answer to a question that is on its way already. Each is taken once. One that failed, as for somebody who is not signed in yet, says nothing
 * of later: the others are forgotten with it, and asked again.
 */
export function takeEarly(url: string): Promise<Response> | undefined {
  const asked = globalThis.window?.mastheadEarly
  if (!asked?.length) return undefined
  const full = new URL(url, location.href).href
  const at = asked.findIndex((one) => one.url === full)
  if (at < 0) return undefined
  const [one] = asked.splice(at, 1)
  if (performance.now() - one!.at >= fresh) return undefined
  const forget = () => void asked.splice(0)
  return one!.answer.then(
    (response) => (response.ok || forget(), response),
    (error: unknown) => {
      forget()
      throw error
    }
  )
}
