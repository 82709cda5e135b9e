// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title A token whose whole supply belongs to its owner from the first block on.
/// @notice 18 decimals. Nobody can make more of it, freeze it, change its name or take it from who holds it: there is no
/// function for that and no role that could. What is not here can't be misused.
contract LaunchToken is ERC20 {
    /// @param name_ Name that wallets show.
    /// @param symbol_ Ticker that wallets show.
    /// @param supply_ Whole supply in base units (10^-18).
    /// @param owner_ Gets the whole supply; not the sender, which is the deployment proxy.
    constructor(string memory name_, string memory symbol_, uint256 supply_, address owner_) ERC20(name_, symbol_) {
        _mint(owner_, supply_);
    }
}
