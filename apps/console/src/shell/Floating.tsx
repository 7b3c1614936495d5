import { createElement, useEffect, useState, type ComponentType } from 'react'
import { toast } from '../ui/toast.ts'
import { wishOf } from './keys.ts'
import { useShell } from './shell-state.ts'

type Piece = ComponentType<{ onClose: () => void }>

const pieces = {
  palette: async (): Promise<Piece> => (await import('./Palette.tsx')).Palette,
  keys: async (): Promise<Piece> => (await import('./KeyList.tsx')).KeyList,
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
        toast.error('This part of the console could not be loaded. Reload the page to get it.')
      }
    )
  }, [wanted, loaded])
  useEffect(() => {
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [])
  useEffect(() => close, [])
  const piece = wanted && loaded[wanted]
  return piece ? createElement(piece, { onClose: close }) : null
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
