import { toast } from './toast.ts'

/** Shows that something was copied: `toast` does. */
export type SayCopied = Pick<typeof toast, 'success' | 'error'>

/** spec §9: so long it is said. Milliseconds. */
export const copiedTime = 2000

/**
 * Puts text on the clipboard; true when it is there. The handler says so (spec §8: title Success), or that the
 * browser has no clipboard, as without a secure context. Null says nothing.
 */
export async function copyText(text: string, say: SayCopied | null = toast): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    say?.success('Copied to clipboard', { title: 'Success', timeout: copiedTime })
    return true
  } catch {
    say?.error('Your browser did not allow it. Select the text and copy it by hand.', { title: 'Not copied' })
    return false
  }
}

/** Cut in the middle: the last characters tell two identifiers apart. */
export const cutMiddle = (text: string, length: number) =>
  text.length <= length ? text : `${text.slice(0, Math.ceil((length - 1) / 2))}…${text.slice(text.length - Math.floor((length - 1) / 2))}`
