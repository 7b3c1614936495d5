import { useState } from 'react'

const keys: [label: string, text: string, name?: string][] = [
  ['Esc', '\x1b'],
  ['Tab', '\t'],
  ['←', '\x1b[D', 'Left'],
  ['↑', '\x1b[A', 'Up'],
  ['↓', '\x1b[B', 'Down'],
  ['→', '\x1b[C', 'Right'],
  ['|', '|'],
  ['~', '~'],
  ['/', '/'],
]
const controls = ['C', 'D', 'Z', 'R', 'L'] as const

/** Keys that a phone has not. */
export function KeyRow({ onKeys }: { onKeys: (text: string) => void }) {
  const [control, setControl] = useState(false)
  return (
    <div className="terminal-keys" role="toolbar" aria-label="Keys">
      <button type="button" aria-pressed={control} onClick={() => setControl(!control)}>
        Ctrl
      </button>
      {control
        ? controls.map((letter) => (
            <button
              key={letter}
              type="button"
              onClick={() => {
                setControl(false)
                onKeys(String.fromCharCode(letter.charCodeAt(0) - 64))
              }}
            >
              Ctrl {letter}
            </button>
          ))
        : keys.map(([label, text, name]) => (
            <button key={label} type="button" aria-label={name} onClick={() => onKeys(text)}>
              {label}
            </button>
          ))}
    </div>
  )
}
