import { CopyButton } from '../ui/CopyButton.tsx'

/** Lines to be copied into a terminal or a program. */
export function CodeBlock({ label, code }: { label: string; code: string }) {
  return (
    <div className="relative min-w-0 rounded-lg border border-line bg-sunken">
      <pre tabIndex={0} aria-label={label} className="mono overflow-x-auto p-3 pr-12 text-xs leading-5">
        {code}
      </pre>
      <div className="absolute top-1.5 right-1.5 rounded-md bg-sunken">
        <CopyButton text={code} label={`Copy ${label}`} />
      </div>
    </div>
  )
}
