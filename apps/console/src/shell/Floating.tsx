import { createElement, useEffect, useLayoutEffect, useRef, useState, type ComponentType } from 'react'
import { toast } from '../ui/toast.ts'
import { wishOf } from './keys.ts'
import { useShell } from './shell-state.ts'

/** `typed`: what was typed while it was on its way. */
type Piece = ComponentType<{ onClose: () => void; typed: string }>

const pieces = {
  palette: (): Promise<Piece> => import('./Palette.tsx').then((file) => file.Palette),
  keys: (): Promise<Piece> => import('./KeyList.tsx').then((file) => file.KeyList),
}
const close = () => useShell.setState({ floating: null })

/** Listens to the keys of the console, and shows the command palette and the list of keys; both are loaded when first asked for. */
export function Floating() {
  const wanted = useShell((shell) => shell.floating)
  const [loaded, setLoaded] = useState<Partial<Record<keyof typeof pieces, Piece>>>({})
  useEffect(() => {
    if (!wanted || loaded[wanted]) return
    pieces[wanted]().then(
      (piece) => setLoaded((before) => ({ ...before, [wanted]: piece })),
      () => {
        close()
        toast.error('This part of the console could not be loaded. Try again once you are online.')
      }
    )
  }, [wanted, loaded])
  useEffect(() => {
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [])
  useEffect(() => close, [])
  const piece = wanted && loaded[wanted]
  const typed = useRef('')
  useLayoutEffect(() => {
    if (!wanted) typed.current = ''
    if (!wanted || piece) return
    // Meant for what was asked for, not for the field that has the focus until it is there.
    const hold = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || (event.key.length > 1 && event.key !== 'Enter')) return
      event.preventDefault()
      event.stopPropagation()
      if (event.key.length === 1) typed.current += event.key
    }
    addEventListener('keydown', hold, true)
    return () => removeEventListener('keydown', hold, true)
  }, [wanted, piece])
  return piece ? createElement(piece, { onClose: close, typed: typed.current }) : null
}

function pressed(event: KeyboardEvent) {
  const at = event.target as HTMLElement
  const writing = at.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName)
  const wish = wishOf(event, { writing, dialog: document.querySelector('dialog[open]') !== null })
  if (!wish) return
  event.preventDefault()
  if (wish === 'keys') return useShell.setState({ floating: 'keys' })
  const search = wish === 'search' && document.querySelector<HTMLElement>('#main [role=search] input')
  if (search && search.checkVisibility()) search.focus()
  else useShell.setState({ floating: 'palette' })
}
