import { toast } from './toast.ts'

/** Puts text on the clipboard and says so (spec §8). Without a secure context there is no clipboard: then it says that. */
export async function copyText(text: string) {
  try {
    await navigator.clipboard.writeText(text)
    toast.success('Copied to clipboard', { timeout: 2000 }) // spec §9
  } catch {
    toast.error('Your browser did not allow it. Select the text and copy it by hand.', { title: 'Not copied' })
  }
}

/** Cut in the middle: the last characters tell two identifiers apart. */
export const cutMiddle = (text: string, length: number) =>
  text.length <= length ? text : `${text.slice(0, Math.ceil((length - 1) / 2))}…${text.slice(text.length - Math.floor((length - 1) / 2))}`
