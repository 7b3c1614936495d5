import { Check, Copy } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button, IconButton, type ButtonColor, type ButtonSize } from './Button.tsx'
import { copiedTime, copyText, type SayCopied } from './copy.ts'

/** Puts a text on the clipboard. With `words` a button that says so, without them an icon named by `label`. */
export function CopyButton({
  text,
  label,
  words,
  color,
  size = 'small',
  say,
}: {
  text: string
  /** What is copied: "Copy ICCID". */
  label: string
  words?: string
  color?: ButtonColor
  size?: ButtonSize
  /** Shows that it is done; a toast unless given, nobody when null (spec §8). */
  say?: SayCopied | null
}) {
  const [copied, setCopied] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const copy = async () => {
    if (!(await copyText(text, say))) return
    setCopied(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setCopied(false), copiedTime)
  }
  const shared = { size, icon: copied ? Check : Copy, onClick: () => void copy(), ...(color && { color }) }
  if (!words) return <IconButton {...shared} label={label} />
  return (
    <Button {...shared} aria-label={label.includes(words) ? label : `${words}, ${label}`}>
      {words}
    </Button>
  )
}
