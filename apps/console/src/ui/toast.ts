import { createElement, type ReactNode } from 'react'
import { FailureWords, type Said } from './FailureNotice.tsx'

export type Toast = {
  id: number
  type: 'success' | 'info' | 'error'
  title: string
  /** Text is taken as HTML and cleaned (spec §3); anything else is shown as it is. Write `plain(name)` around what people named. */
  message: ReactNode
  /** A link below the words. It is not read out with them: a second one, unseen, would be a stop of the Tab key. */
  link?: ReactNode
  /** Milliseconds until it goes; 0 keeps it. */
  timeout: number
}

/** spec §9: so long a toast stays unless said otherwise. Milliseconds. */
const toastTime = 5000

let shown: readonly Toast[] = []
let count = 0
const listeners = new Set<() => void>()
const timers = new Map<number, ReturnType<typeof setTimeout>>()

const show = (next: readonly Toast[]) => {
  shown = next
  for (const listener of listeners) listener()
}

/** What is shown now, for who draws it. */
export const toasts = {
  read: () => shown,
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

/** Takes a toast away, whatever time it has left. */
export function dismissToast(id: number) {
  clearTimeout(timers.get(id))
  timers.delete(id)
  show(shown.filter((toast) => toast.id !== id))
}

/** Starts a toast's time, anew after a pause: whoever has read it with a pointer over it gets the whole of it. */
export function runToast({ id, timeout }: Toast) {
  clearTimeout(timers.get(id))
  if (timeout > 0)
    timers.set(
      id,
      setTimeout(() => dismissToast(id), timeout)
    )
}
/** Stops a toast's time. */
export const pauseToast = ({ id }: Toast) => clearTimeout(timers.get(id))

const titles = { success: 'Success', info: 'Note', error: 'Something went wrong' }

type Options = { title?: string; timeout?: number; link?: ReactNode }

function push(type: Toast['type'], message: ReactNode, { title = titles[type], timeout = toastTime, link }: Options = {}) {
  const toast: Toast = { id: ++count, type, title, message, link, timeout }
  // The same words again are the same toast: a second copy says nothing new.
  const others = shown.filter((one) => one.title !== title || one.message !== message)
  const next = [...others, toast]
  // At most four, but one that stays until it is dismissed is not pushed out.
  const oldest = next.length > 4 ? next.findIndex((one) => one.timeout > 0) : -1
  show(next.filter((_, at) => at !== oldest))
  runToast(toast)
  return toast.id
}

type Say = (message: ReactNode, options?: Options) => number
/** Says something at the edge of the screen, read out by a screen reader. */
export const toast: Record<Toast['type'], Say> & {
  /** Why a call failed, with the number of its request, as the Contact page promises. */
  failure: (of: Said, options?: Parameters<Say>[1]) => number
} = {
  success: (message, options) => push('success', message, options),
  info: (message, options) => push('info', message, options),
  error: (message, options) => push('error', message, options),
  failure: (of, options) => push('error', createElement(FailureWords, { of }), options),
}

/** Makes text out of what a person typed, for a message that is read as HTML. */
export const plain = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
