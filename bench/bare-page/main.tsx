import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

type Row = { id: string; name: string; type: string; sim: { iccid: string; status: string } | null }

/** The least a page can be that shows the same ten rows: React, one call, a table. */
function Bare() {
  const [rows, setRows] = useState<Row[]>([])
  useEffect(() => {
    void fetch('/v1/assets')
      .then((reply) => reply.json())
      .then((list: { items: Row[] }) => setRows(list.items))
  }, [])
  return (
    <table>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <td>{row.name}</td>
            <td>{row.type}</td>
            <td>{row.sim?.iccid}</td>
            <td>{row.sim?.status}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

createRoot(document.getElementById('root')!).render(<Bare />)
