import { useEffect, useRef, useState, type RefObject } from 'react'
import { sizeOf, type Recorded } from './cast.ts'
import type { TerminalScreenView } from './xterm.ts'

export const speeds = ['0.5', '1', '2', '4', '8'] as const
type Speed = (typeof speeds)[number]

const longestIdle = 1 // s of what is skipped
const frame = 50 // ms

/** Plays a recording in an element. */
export function usePlayer(place: RefObject<HTMLElement | null>, recorded: Recorded | null) {
  const view = useRef<TerminalScreenView>(undefined)
  const next = useRef(0)
  const [at, setAt] = useState(0)
  const [playing, setPlaying] = useState(false)
  const [speed, setSpeed] = useState<Speed>('1')
  const [skips, setSkips] = useState(true)

  useEffect(() => {
    if (!recorded) return
    let gone = false
    void import('./xterm.ts').then(({ openScreen }) => {
      if (gone || !place.current) return
      const nothing = () => {}
      view.current = openScreen(place.current, { onKeys: nothing, onSize: nothing, onPaste: nothing, onFind: nothing })
      view.current.setTypes(false)
      view.current.follow(recorded.size)
      next.current = 0
      setPlaying(true)
    })
    return () => {
      gone = true
      view.current?.dispose()
      view.current = undefined
    }
  }, [place, recorded])

  /** Shows what comes until then, in order. */
  function showUntil(s: number) {
    const { events } = recorded!
    let text = ''
    for (; next.current < events.length && events[next.current]!.at <= s; next.current++) {
      const { kind, data } = events[next.current]!
      const size = kind === 'r' ? sizeOf(data) : null
      if (kind === 'o') text += data
      if (!size) continue
      view.current?.write(text)
      text = ''
      view.current?.follow(size)
    }
    if (text) view.current?.write(text)
  }

  const latest = useRef({ at, showUntil })
  useEffect(() => void (latest.current = { at, showUntil }))
  useEffect(() => {
    if (!playing || !recorded) return
    const timer = setInterval(() => {
      const { at: before, showUntil: show } = latest.current
      let now = before + (frame / 1000) * Number(speed)
      const coming = recorded.events[next.current]
      if (skips && coming && coming.at - before > longestIdle) now = Math.max(now, coming.at - longestIdle / 10)
      const end = now >= recorded.length
      show(end ? recorded.length : now)
      setAt(end ? recorded.length : now)
      if (end) setPlaying(false)
    }, frame)
    return () => clearInterval(timer)
  }, [playing, recorded, speed, skips])

  const go = (s: number) => {
    if (!recorded || !view.current) return
    if (s < at) {
      view.current.reset()
      view.current.follow(recorded.size)
      next.current = 0
    }
    showUntil(s)
    setAt(s)
  }
  return {
    at,
    playing,
    speed,
    skips,
    setSpeed,
    setSkips,
    go,
    toggle: () => {
      if (!playing && recorded && at >= recorded.length) go(0)
      setPlaying(!playing)
    },
  }
}
