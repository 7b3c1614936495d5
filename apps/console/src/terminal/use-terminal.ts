import { accessCodeNeeded, accessCodeWrong } from '@masthead/contract/terminal/problems'
import { endReasons, type EndReason, type Size, type TerminalSession } from '@masthead/contract/terminal/session'
import type { TerminalPerson } from '@masthead/contract/terminal/wire'
import { useEffect, useRef, useState, type RefObject } from 'react'
import type { Failure } from '../api/client.ts'
import { connect, type Connection } from './connection.ts'
import { joinAt, openAt, sessionAt } from './source.ts'
import type { TerminalScreenView } from './xterm.ts'

export type Phase = 'asking' | 'connecting' | 'open' | 'reconnecting' | 'device_away' | 'failed' | 'ended'
export type Step = 'asked' | 'device' | 'shell'

export type TerminalStanding = {
  phase: Phase
  session: TerminalSession | null
  /** What has been done on the way to the shell, with the seconds that it took. */
  done: Partial<Record<Step, number>>
  /** Why it failed or ended, in words. */
  words: string
  /** It did not open: its access code is asked for, or was wrong. */
  asksCode: 'needed' | 'wrong' | null
  reason: EndReason | null
  people: TerminalPerson[]
  you: string
  /** The name of this window. */
  client: string
  user: string | null
  endsAt: number
  idleAt: number
  way: number | null
  size: Size | null
}

const first: TerminalStanding = {
  phase: 'asking',
  session: null,
  done: {},
  words: '',
  asksCode: null,
  reason: null,
  people: [],
  you: '',
  client: '',
  user: null,
  endsAt: 0,
  idleAt: 0,
  way: null,
  size: null,
}

const codeFailures: Partial<Record<string, 'needed' | 'wrong'>> = { [accessCodeNeeded.code]: 'needed', [accessCodeWrong.code]: 'wrong' }

const wordsOf = ({ status, detail }: Failure) => (status === 404 ? 'It is not there, or you may not see it.' : detail)

type Pasted = (text: string) => void
/** `onOpened`: a session was asked for, and is now to be joined by its id. */
type Asked = {
  code: { typed: string } | null
  asset: string | null
  support: string | null
  session: string | null
  onOpened: (id: string) => void
}

/** A terminal in an element: asks for a session (or joins one), and shows it. Another one is another component. */
export function useTerminal(
  place: RefObject<HTMLElement | null>,
  { code, asset, support, session: joined, onOpened }: Asked,
  handlers: { onPaste: Pasted; onFind: () => void }
) {
  const [standing, setStanding] = useState(first)
  const connection = useRef<Connection>(undefined)
  const view = useRef<TerminalScreenView>(undefined)
  const latest = useRef({ ...handlers, onOpened })
  useEffect(() => void (latest.current = { ...handlers, onOpened }))

  useEffect(() => {
    let gone = false
    const began = performance.now()
    const since = () => (performance.now() - began) / 1000
    const set = (change: Partial<TerminalStanding>) => gone || setStanding((before) => ({ ...before, ...change }))
    const step = (name: Step) =>
      gone || setStanding((before) => (before.done[name] === undefined ? { ...before, done: { ...before.done, [name]: since() } } : before))
    const types = { is: true }
    /** Of the shell: who watches gets it before they know that they only watch. */
    let shell: Size | null = null

    async function begin() {
      const { openScreen } = await import('./xterm.ts')
      if (gone || !place.current) return
      const screen = (view.current = openScreen(place.current, {
        onKeys: (bytes) => connection.current?.type(bytes),
        onSize: (size) => {
          set({ size })
          if (!types.is) return
          shell = size
          connection.current?.say({ t: 'size', ...size })
        },
        onPaste: (text) => latest.current.onPaste(text),
        onFind: () => latest.current.onFind(),
      }))
      set({ size: screen.size() })
      if (joined === null) {
        const asked = await openAt({ asset, support, code: code?.typed ?? null }, screen.size())
        if (gone) return
        if (!asked.ok) return set({ phase: 'failed', words: wordsOf(asked.failure), asksCode: codeFailures[asked.failure.code] ?? null })
        return latest.current.onOpened(asked.data.id)
      }
      const answer = await joinAt({ support, code: code?.typed ?? null }, joined)
      if (gone) return
      if (!answer.ok) return set({ phase: 'failed', words: wordsOf(answer.failure), asksCode: codeFailures[answer.failure.code] ?? null })
      set({ asksCode: null })
      const session = answer.data
      set({ session })
      if (session.end_reason) return set({ phase: session.opened_at ? 'ended' : 'failed', words: endReasons[session.end_reason] })
      step('asked')
      set({ phase: 'connecting' })
      const id = joined
      let open = false
      let over = false
      /** A WebSocket that is refused does not say why: whether the session is over, or a code was set meanwhile, is asked for. */
      async function askWhy(goesOn: boolean) {
        const asked = await sessionAt(support, id)
        const reason = asked.ok ? asked.data.end_reason : null
        // Without the code that was typed: another one may be set by now, and this would count as a wrong one.
        const joins = asked.ok && !reason ? await joinAt({ support, code: null }, id) : asked
        const asksCode = joins.ok ? undefined : codeFailures[joins.failure.code]
        const refused = !joins.ok && [401, 403, 404].includes(joins.failure.status)
        if (gone || over || (goesOn && !reason && !refused && !asksCode)) return
        over = true
        connection.current?.end()
        if (asksCode) return set({ phase: 'failed', asksCode, people: [] })
        const words = reason ? endReasons[reason] : 'You may not take part in this session, or it is shown in another window'
        set({ phase: open ? 'ended' : 'failed', reason, words, people: [] })
      }
      connection.current = connect(id, {
        onBytes: (bytes, shown) => screen.write(bytes, shown),
        onLost: (goesOn) => {
          if (over) return
          set({ phase: open ? 'reconnecting' : 'connecting' })
          void askWhy(goesOn)
        },
        onWords: (words) => {
          if (words.t === 'from') {
            if (words.anew) screen.reset()
            if (open) set({ phase: 'open' })
          } else if (words.t === 'step') {
            if (words.step === 'shell') {
              step('device')
              open = true
              set({ phase: 'open' })
              if (types.is) {
                connection.current?.say({ t: 'size', ...screen.size() })
                shell ??= screen.size()
                screen.focus()
              }
            }
            step(words.step)
          } else if (words.t === 'device') set({ phase: words.here ? 'open' : 'device_away' })
          else if (words.t === 'pong') set({ way: connection.current?.wayOf(words.n) ?? null })
          else if (words.t === 'size') {
            shell = words
            if (!types.is) screen.follow(words)
          } else if (words.t === 'who') {
            const { people, you, user, ends_in, idle_in } = words
            const mine = people.some((one) => one.id === you && one.types)
            const changes = mine !== types.is
            // First, so that the shell gets the size of this window from the start.
            types.is = mine
            if (changes) screen.follow(mine ? null : (shell ?? screen.size()))
            screen.setTypes(mine)
            set({ people, you, user, endsAt: Date.now() + ends_in, idleAt: Date.now() + idle_in })
          } else {
            over = true
            screen.setTypes(false)
            const said = words.words ?? endReasons[words.reason]
            set({ people: [], phase: open ? 'ended' : 'failed', reason: words.reason, words: words.by ? `${said} by ${words.by}` : said })
          }
        },
      })
      set({ client: connection.current.client })
    }
    void begin()
    return () => {
      gone = true
      connection.current?.end()
      connection.current = undefined
      view.current?.dispose()
      view.current = undefined
    }
  }, [place, code, asset, support, joined])

  return { standing, connection, view }
}
