import { useEffect, useState, type ComponentType, type ReactNode } from 'react'
import { toast } from '../ui/toast.ts'

/**
 * A part that most never open, as a dialog or a form: loaded when it is first shown. When it does not come, a toast says so, what asked for it
 * is closed (`onClose`, `onDone`), and it can be asked for again. `meanwhile` stands in its place until it has come. What a first screen does
 * without waits until the browser has nothing else to do: `when` is then `whenIdle`.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  meanwhile: ReactNode = null,
  when: (act: () => void) => unknown = (act) => act()
) {
  let loaded: ComponentType<Props> | undefined
  return function Later(props: Props) {
    const [Part, setPart] = useState(() => loaded)
    const { onClose, onDone } = props as { onClose?: () => void; onDone?: () => void }
    useEffect(() => {
      if (loaded) return
      const begin = () =>
        load().then(
          (part) => {
            loaded = part
            setPart(() => part)
          },
          () => {
            toast.error('This part of the console could not be loaded. Try again once you are online.')
            const giveUp = onClose ?? onDone
            giveUp?.()
          }
        )
      when(() => void begin())
      // Asked for once: what it is shown with may change meanwhile.
      // oxlint-disable-next-line react-hooks/exhaustive-deps
    }, [])
    return Part ? <Part {...props} /> : meanwhile
  }
}
