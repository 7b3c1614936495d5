export { addGateway, getGatewayId, listGateways, removeGateway, rotateGatewaySecret } from './gateways.ts'
export { loadInventory } from './load-inventory.ts'
export { grantStaff, listStaff } from './staff.ts'
