// Uniform assignment where all members want the same topics: every member keeps what it has up to
// its quota; what is over or has no owner goes to those with room, in order. Linear, flat arrays.
#include "uniform.hpp"

#include <algorithm>
#include <memory>

namespace muster::uniform {
namespace {

// Owners that are no members are counted behind the members, in as many places as are counted at a
// time: one place for all would make each write wait for the one before.
constexpr std::uint32_t lanes = 4;
constexpr std::uint32_t spare_slots = 4 * lanes;

struct Vacancy {
  std::uint32_t member;
  std::uint32_t room;
};

class Assignment {
 public:
  Assignment(const sdk::PartitionView& view, std::span<std::uint32_t> owner)
      : members_(view.member_count()),
        current_(view.current_owner()),
        owner_(owner),
        held_(std::make_unique<std::uint32_t[]>(members_ + spare_slots)),
        keeps_(std::make_unique_for_overwrite<std::uint32_t[]>(members_)),
        vacancies_(std::make_unique_for_overwrite<Vacancy[]>(members_)) {}

  void run();

 private:
  bool nothing_is_owned() const;
  void count_held();
  void share_out();
  void keep_within_quota();
  void fill_vacancies();
  void fill_vacancies_in_order();

  const std::uint32_t members_;
  const std::span<const std::uint32_t> current_;
  const std::span<std::uint32_t> owner_;
  const std::unique_ptr<std::uint32_t[]> held_;  // by member: partitions it has now
  // By member: all_of_them, or how many of its partitions it may still keep. Then held_ becomes
  // the place in the pool for the next partition it must give up.
  const std::unique_ptr<std::uint32_t[]> keeps_;
  const std::unique_ptr<Vacancy[]> vacancies_;  // in member order
  std::uint32_t vacancy_count_ = 0;
  std::uint32_t unowned_ = 0;
  std::uint32_t surplus_ = 0;
  // Partitions to give out: those without an owner, then each member's surplus in member order.
  std::unique_ptr<std::uint32_t[]> pool_;
};

constexpr std::uint32_t all_of_them = UINT32_MAX;

bool Assignment::nothing_is_owned() const {
  constexpr std::size_t block = 256;
  std::size_t at = 0;
  for (; at + block <= current_.size(); at += block) {
    std::uint32_t all = MUSTER_NONE;
    for (std::size_t i = 0; i < block; ++i) all &= current_[at + i];
    if (all != MUSTER_NONE) return false;
  }
  return std::all_of(current_.begin() + at, current_.end(),
                     [](std::uint32_t owner) { return owner == MUSTER_NONE; });
}

// A member's partitions often lie side by side, and each count waits for the last one of the same
// member; so the array is read at several places in turns.
void Assignment::count_held() {
  std::uint32_t* const held = held_.get();
  const auto count = [&](std::size_t partition, std::uint32_t spare) {
    const std::uint32_t owner = current_[partition];
    ++held[owner < members_ ? owner : members_ + spare];
  };
  const std::size_t stride = current_.size() / lanes;
  for (std::size_t i = 0; i < stride; ++i) {
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      count(lane * stride + i, lane * 4 + i % 4);
    }
  }
  for (std::size_t p = stride * lanes; p < current_.size(); ++p) count(p, 0);
  for (std::uint32_t i = 0; i < spare_slots; ++i) unowned_ += held[members_ + i];
}

// Quotas in member order. The first members that have more than the minimum get the extra ones;
// one that cannot use its extra passes it on, unless all that follow get one anyway.
void Assignment::share_out() {
  const auto total = static_cast<std::uint32_t>(current_.size());
  const std::uint32_t minimum = total / members_;
  std::uint32_t extras = total % members_;
  for (std::uint32_t m = 0; m < members_; ++m) {
    const std::uint32_t held = held_[m];
    const bool extra = extras > 0 && (held > minimum || members_ - m <= extras);
    const std::uint32_t quota = minimum + (extra ? 1 : 0);
    extras -= extra ? 1 : 0;
    vacancies_[vacancy_count_] = {m, quota - std::min(held, quota)};
    vacancy_count_ += held < quota ? 1 : 0;
    keeps_[m] = held > quota ? quota : all_of_them;
    held_[m] = unowned_ + surplus_;
    surplus_ += held > quota ? held - quota : 0;
  }
}

void Assignment::keep_within_quota() {
  std::uint32_t* pool_next = pool_.get();
  for (std::size_t p = 0; p < current_.size(); ++p) {
    const std::uint32_t owner = current_[p];
    owner_[p] = owner;
    if (owner >= members_) [[unlikely]] {
      *pool_next++ = static_cast<std::uint32_t>(p);
    } else if (keeps_[owner] != all_of_them) [[unlikely]] {
      if (keeps_[owner] > 0) {
        --keeps_[owner];
      } else {
        pool_[held_[owner]++] = static_cast<std::uint32_t>(p);
      }
    }
  }
}

void Assignment::fill_vacancies() {
  const std::uint32_t* next = pool_.get();
  for (std::uint32_t v = 0; v < vacancy_count_; ++v) {
    for (std::uint32_t i = 0; i < vacancies_[v].room; ++i) owner_[*next++] = vacancies_[v].member;
  }
}

// Nothing is owned: the pool is all partitions in order.
void Assignment::fill_vacancies_in_order() {
  std::uint32_t* next = owner_.data();
  for (std::uint32_t v = 0; v < vacancy_count_; ++v) {
    next = std::fill_n(next, vacancies_[v].room, vacancies_[v].member);
  }
}

void Assignment::run() {
  if (nothing_is_owned()) {
    share_out();
    fill_vacancies_in_order();
    return;
  }
  count_held();
  share_out();
  if (unowned_ + surplus_ == 0) {
    std::ranges::copy(current_, owner_.begin());
    return;
  }
  pool_ = std::make_unique_for_overwrite<std::uint32_t[]>(unowned_ + surplus_);
  keep_within_quota();
  fill_vacancies();
}

}  // namespace

void assign_homogeneous(const sdk::PartitionView& view, std::span<std::uint32_t> owner) {
  Assignment(view, owner).run();
}

}  // namespace muster::uniform
