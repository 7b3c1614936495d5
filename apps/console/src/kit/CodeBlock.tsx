import { CopyButton } from '../ui/CopyButton.tsx'

/** Lines to be copied into a terminal or a program. */
export function CodeBlock({ label, code }: { label: string; code: string }) {
  return (
    <div className="flex min-w-0 items-start rounded-lg border border-line bg-sunken">
      <pre tabIndex={0} aria-label={label} className="mono min-w-0 flex-1 overflow-x-auto p-3 text-xs leading-5">
        {code}
      </pre>
      <div className="flex-none p-1.5">
        <CopyButton text={code} label={`Copy ${label}`} />
      </div>
    </div>
  )
}
