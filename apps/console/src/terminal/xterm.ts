import { FitAddon } from '@xterm/addon-fit'
import { SearchAddon } from '@xterm/addon-search'
import { Terminal } from '@xterm/xterm'
import '@xterm/xterm/css/xterm.css'
import type { Size } from '@masthead/contract/terminal/session'
import { asText, linesOf } from './paste.ts'

const linesKept = 100_000

const colors = {
  background: '#0b0f0d',
  foreground: '#e3ebe6',
  cursor: '#5fe695',
  cursorAccent: '#0b0f0d',
  selectionBackground: '#33463c',
  black: '#1b221f',
  red: '#ff9387',
  green: '#5fe695',
  yellow: '#f0b649',
  blue: '#8dbcfb',
  magenta: '#d7a3f7',
  cyan: '#74d8de',
  white: '#e3ebe6',
  brightBlack: '#8b9891',
  brightRed: '#ffb3aa',
  brightGreen: '#93f0b7',
  brightYellow: '#f7cd7e',
  brightBlue: '#b5d4fd',
  brightMagenta: '#e6c5fb',
  brightCyan: '#a5e8ec',
  brightWhite: '#ffffff',
}

// What the library shows in any of 16 million colours it writes as a `style` attribute, which our headers refuse (`style-src 'self'`); what a script sets
// on `style` is no inline style.
HTMLSpanElement.prototype.setAttribute = function (this: HTMLSpanElement, name: string, value: string) {
  if (name === 'style') this.style.cssText = value
  else Element.prototype.setAttribute.call(this, name, value)
}

/**
 * Style sheets that a library writes into `style` elements go the way that our headers allow: what a script makes of rules is no inline style. An empty
 * `style` element is refused, too, so it gets an element of which nothing is shown.
 */
function adoptingStyles(make: () => void): () => void {
  const { createElement } = document
  const sheets: CSSStyleSheet[] = []
  document.createElement = function (this: Document, name: string, options?: ElementCreationOptions) {
    if (name.toLowerCase() !== 'style') return createElement.call(document, name, options)
    const element = createElement.call(document, 'template')
    const sheet = new CSSStyleSheet()
    sheets.push(sheet)
    document.adoptedStyleSheets.push(sheet)
    Object.defineProperty(element, 'textContent', {
      set(text: string) {
        sheet.replaceSync(text)
      },
      get: () => '',
    })
    return element
  } as typeof document.createElement
  try {
    make()
  } finally {
    document.createElement = createElement
  }
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => !sheets.includes(each))
  }
}

type Handlers = {
  onKeys: (bytes: Uint8Array<ArrayBuffer>) => void
  onSize: (size: Size) => void
  /** Text that is to be pasted: it has more than one line. */
  onPaste: (text: string) => void
  onFind: () => void
}

/** The screen of a terminal in an element. `follows`: its size is that of somebody else's window. */
export function openScreen(element: HTMLElement, { onKeys, onSize, onPaste, onFind }: Handlers) {
  const font = getComputedStyle(element).fontFamily
  const terminal = new Terminal({
    scrollback: linesKept,
    fontSize: 13,
    lineHeight: 1.35,
    fontFamily: font,
    theme: colors,
    cursorBlink: true,
    allowProposedApi: true,
  })
  const [fit, search] = [new FitAddon(), new SearchAddon()]
  terminal.loadAddon(fit)
  terminal.loadAddon(search)
  const dropStyles = adoptingStyles(() => terminal.open(element))
  const encoder = new TextEncoder()
  let follows = false
  terminal.onData((text) => onKeys(encoder.encode(text)))
  terminal.onBinary((text) => onKeys(Uint8Array.from(text, (letter) => letter.charCodeAt(0))))
  terminal.onResize((size) => follows || onSize({ cols: size.cols, rows: size.rows }))
  terminal.attachCustomKeyEventHandler((event) => {
    if (event.type !== 'keydown' || !event.ctrlKey || !event.shiftKey) return true
    if (event.code === 'KeyC') void copy()
    else if (event.code === 'KeyF') onFind()
    else return true
    event.preventDefault()
    return false
  })
  // Many lines at once are asked about before the shell has the first.
  const pasted = (event: ClipboardEvent) => {
    const text = asText(event.clipboardData?.getData('text/plain') ?? '')
    event.preventDefault()
    event.stopPropagation()
    if (linesOf(text).length > 1) onPaste(text)
    else terminal.paste(text)
  }
  element.addEventListener('paste', pasted, true)
  const watch = new ResizeObserver(() => follows || fit.fit())
  watch.observe(element)
  fit.fit()

  async function copy() {
    const text = terminal.getSelection()
    if (text) await navigator.clipboard?.writeText(text).catch(() => {})
  }

  return {
    terminal,
    size: (): Size => ({ cols: terminal.cols, rows: terminal.rows }),
    write: (bytes: Uint8Array | string, done?: () => void) => terminal.write(bytes, done),
    reset: () => terminal.reset(),
    focus: () => terminal.focus(),
    copy,
    paste: (text: string) => terminal.paste(text),
    /** A key that is no key of a keyboard. Of arrows a program may have asked for another text, as vim and htop do. */
    press(text: string) {
      terminal.input(terminal.modes.applicationCursorKeysMode ? text.replace('\x1b[', '\x1bO') : text)
      terminal.focus()
    },
    find: (text: string, back = false) => (back ? search.findPrevious(text) : search.findNext(text)),
    lines: () => Math.min(terminal.buffer.normal.length, linesKept),
    setFontSize(px: number) {
      terminal.options.fontSize = px
      if (!follows) fit.fit()
    },
    setTypes(types: boolean) {
      terminal.options.disableStdin = !types
      terminal.options.cursorBlink = types
    },
    /** Null: the size of this window again. */
    follow(size: Size | null) {
      follows = size !== null
      if (size) terminal.resize(size.cols, size.rows)
      else fit.fit()
    },
    dispose() {
      watch.disconnect()
      element.removeEventListener('paste', pasted, true)
      terminal.dispose()
      dropStyles()
    },
  }
}
export type TerminalScreenView = ReturnType<typeof openScreen>
