export class TradeOff { constructor() {} enter() {} leave() {} connected() {} settingsChanged() {} }
