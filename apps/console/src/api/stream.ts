import { createParser } from 'eventsource-parser'
import { noResponse, surroundings } from './client.ts'

export type StreamRequest = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  query?: Record<string, string>
  body?: unknown
  signal?: AbortSignal
  /** Ends an event stream that brings no data for so many milliseconds. */
  silence?: number
  /** The event stream has begun. */
  onOpen?: () => void
  /** Each event with its name (`message` when it has none) and parsed data; also the whole body of a plain JSON answer. */
  onMessage: (event: string, data: unknown) => void
  /** A non-OK answer: its JSON, or its text as `msg`. The stream is closed then. */
  onError: (failure: { status: number; data: unknown }) => void
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return { msg: text }
  }
}

/** The specification's streaming helper (§7). Resolves when the answer has ended or was aborted; never throws. */
export async function stream(
  url: string,
  { method = 'GET', query, body, signal, silence, onOpen, onMessage, onError }: StreamRequest
): Promise<void> {
  const token = surroundings.onBackofficeRoute() ? surroundings.backofficeToken() : null
  try {
    const response = await fetch(query ? `${url}?${new URLSearchParams(query)}` : url, {
      method,
      credentials: 'include',
      headers: {
        ...(token && { 'X-Backoffice-Token': token }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(signal && { signal }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) return onError({ status: response.status, data: parsed(await response.text()) })
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return onMessage('message', parsed(await response.text()))
    onOpen?.()
    const parser = createParser({ onEvent: (event) => onMessage(event.event ?? 'message', parsed(event.data)) })
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const timer = silence === undefined ? undefined : setTimeout(() => void reader.cancel(), silence)
      const chunk = await reader.read().finally(() => clearTimeout(timer))
      if (chunk.done) return
      parser.feed(chunk.value)
    }
  } catch {
    if (!signal?.aborted) onError({ status: noResponse.status, data: { msg: noResponse.code } })
  }
}
